# SPDX-License-Identifier: MIT
"""Plans of `doctor` are followed to the letter, and the project that comes out agrees with itself.

LegacyApp's is always followed, and those of the ten given projects where `DOCTOR_PROJECTS` names the folder that has them, each
at the commit that its file in `ProjectDoctorTests/Projects` names. Nothing of them is in this repository."""

import json
import os
import plistlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from plan_follower import Follower, Plan, links

PACKAGE = Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("ADAL2MSAL")
PROJECTS = os.environ.get("DOCTOR_PROJECTS")
GIVEN = {facts["name"]: facts for facts in (json.loads(file.read_text("utf-8"))
         for file in sorted((PACKAGE / "Tests" / "ProjectDoctorTests" / "Projects").glob("*.json")))}
# The bundle ids of the apps, as a person reads the build settings.
BUNDLE_IDS = {
    "legacy-app": ["com.contoso.legacy"],
    "open-app": [None],
    "active-directory-ios": ["com.microsoft.identity.client.sample.quickstart"],
    "o365-ios-connect": ["com.microsoft.O365-iOS-Connect", "Microsoft.O365-iOS-Connect-Swift"],
    "o365-unified-api-snippets": ["com.microsoft.O365-iOS-Microsoft-Graph-Snippets"],
    "project-rome": ["com.microsoft.connecteddevices.graphnotificationsample", "com.microsoft.OneSDKSample"],
    "wagr-intune": ["com.microsoft.Wagr"],
}
# What a plan mends as text: none of it is there in a project in which the plan was followed.
MENDED = {"plist.url-scheme-missing", "plist.query-schemes-missing", "keychain.group-missing", "keychain.group-not-entitled",
          "deploy.target", "deps.adal-declared", "deps.adal-linked", "import.adal", "app.open-url-missing"}
SHARED = "com.microsoft.adalcache"
# From which release on MSAL needs which iOS (its CHANGELOG).
NEEDS = [((2, 1), "16.0"), ((1, 2, 6), "14.0"), ((1, 1, 8), "11.0"), ((0,), "10.0")]
PLACEHOLDERS = ("CLIENT-ID", "BUNDLE-ID", "USER-ID-KEY", "startMSAL", "archiveOfADAL")

pytestmark = pytest.mark.skipif(not COMMAND, reason="not checked: ADAL2MSAL does not name the command")


def doctor(folder, *options):
    return subprocess.run([COMMAND, "doctor", ".", *options], cwd=folder, capture_output=True, text=True, timeout=120)


def diagnosis(folder):
    return json.loads(doctor(folder, "--format", "json").stdout)


def numbers(version):
    return [int(number) for number in version.split(".")]


class Case:
    """A project, its plan, and the project after the plan was followed; the plan's text can be changed before."""

    def __init__(self, name, source, folder, change=lambda text: text):
        self.name, self.ids = name, BUNDLE_IDS.get(name, [])
        before, self.folder = folder / "before", folder / "after"
        shutil.copytree(source, before, ignore=shutil.ignore_patterns(".git"))
        shutil.copytree(before, self.folder)
        self.original, self.before = before, diagnosis(before)
        run = doctor(before, "--plan", str(folder / "plan.md"))
        self.said = run.stdout
        self.plan = Plan(change((folder / "plan.md").read_text("utf-8")))
        self.follower = Follower(self.folder, self.plan).follow()
        self.after = diagnosis(self.folder)

    def expanded(self, text, bundle):
        return re.sub(r"\$\((PRODUCT_BUNDLE_IDENTIFIER|CFBundleIdentifier)\)", bundle, text)

    def apps(self):
        """Each app's target after the plan was followed, with its bundle id and its code by chapter."""
        targets = [target for target in self.after["targets"] if not target.get("extension")]
        of = {chapter: [text for _, text, where in self.follower.code if where == chapter]
              for chapter in ("Configuration", "The migration")}
        for index, (target, bundle) in enumerate(zip(targets, self.ids, strict=True)):
            yield target, bundle or "BUNDLE-ID", of["Configuration"][index], of["The migration"][index]

    def disagreements(self):
        """What does not fit together, one sentence each."""
        found = []

        def expect(holds, what):
            if not holds and what not in found:
                found.append(what)

        self.reading(expect)
        if self.before["library"] not in ("adal", "both"):
            expect(not self.follower.code, "code without ADAL")
            return found
        whole = len(self.follower.code) == 2 * len(self.ids)
        expect(whole, "an app has no configuration or no migration")
        if whole:
            for app in self.apps():
                self.addresses(expect, *app)
                self.groups(expect, *app)
                self.start(expect, *app)
                self.dependencies(expect, app[0], app[3])
        left = MENDED & {finding["rule"] for finding in self.after["findings"]}
        expect(not left, f"doctor still reports {sorted(left)}")
        return found

    def reading(self, expect):
        """What anybody sees who reads it: links, tables, doubled steps, values that are none."""
        plan = self.plan
        boxes = [(step.chapter, step.text) for step in plan.steps]
        expect(len(set(boxes)) == len(boxes), "a step is doubled")
        expect(f"{len(boxes)} step" in self.said or not boxes, "the count of steps is another")
        expect("&#46;" not in plan.text, "a full stop is an entity")
        for step in plan.steps:
            for file, number in step.places:
                lines = (self.original / file).read_text("utf-8", "surrogateescape").split("\n")
                expect(number <= len(lines), f"no line {file}:{number}")
            rows = step.rows[2:]
            expect(len(set(map(tuple, rows))) == len(rows), "a row is doubled")
            for place, name, _ in rows if step.chapter == "Calls" else []:
                [(file, number)] = links(place)
                line = (self.original / file).read_text("utf-8", "surrogateescape").split("\n")[number - 1]
                expect(name.strip("`").strip("<>") in line, f"{name} is not in {file}:{number}")
        linked = {place for step in plan.steps for place in step.places}
        linked |= {place for step in plan.steps for row in step.rows for cell in row for place in links(cell)}
        for finding in self.before["findings"]:
            places = {(place["file"], place["line"]) for place in finding["places"]}
            expect(finding["severity"] == "note" or places & linked, f"{finding['rule']} is in no step")
        values = re.findall(r"msauth[.:][^\s`<\"]*", plan.text)
        values += re.findall(r'(?:clientId: ?|initWithClientId:@?|roup = @?|group: )"([^"]*)"', plan.text)
        for value in values:
            expect(not re.search(r"\$[({]|--|-TARGET-NAME|-PRODUCT-NAME|^-|\.-|\.$", value), f"{value} looks real")
        code = "\n".join(text for step in plan.steps for _, text in step.blocks)
        codes = code + "\n".join(code for step in plan.of("Registration") for code in step.codes())
        for name in PLACEHOLDERS:
            expect(not re.search(rf"\b{name}\b", codes) or name in plan.to_fill_in, f"{name} is not to be filled in")
        for name in plan.to_fill_in & set(PLACEHOLDERS):
            expect(re.search(rf"\b{name}\b", codes), f"{name} is to be filled in nowhere")

    def addresses(self, expect, target, bundle, configuration, _):
        """Redirect URI, its scheme, its registration, the query schemes."""
        uris = re.findall(r'redirectUri: ?(?:@?"([^"]*)"|nil)', configuration)
        expect(len(uris) == 1, "one redirect URI in the code")
        used = uris[0] if uris and uris[0] else f"msauth.{bundle}://auth"
        expect(used == f"msauth.{bundle}://auth", f"{used} is not of {bundle}")
        info = plistlib.loads((self.folder / target["infoPlist"]).read_bytes())
        schemes = [self.expanded(scheme, bundle) for entry in info.get("CFBundleURLTypes", [])
                   for scheme in entry.get("CFBundleURLSchemes", [])]
        expect(schemes.count(used.partition(":")[0]) == 1, f"the scheme of {used} is not registered once")
        expect({"msauthv2", "msauthv3"} <= set(info.get("LSApplicationQueriesSchemes", [])), "query schemes are missing")
        steps = self.plan.of("Registration")
        asked = {code for step in steps if step.text.startswith(("Add", "See")) for code in step.codes()}
        kept = {code for step in steps if step.text.startswith("Keep the redirect URI") for code in step.codes()}
        expect(used in asked, f"{used} is not in Registration")
        expect(kept == {uri["value"] for uri in self.before["facts"]["redirectUris"]} - asked, "an old redirect URI is not kept")

    def groups(self, expect, target, bundle, configuration, migration):
        """One keychain group in configuration, migration and entitlements."""
        named = re.findall(r'keychainSharingGroup = @?"([^"]*)"', configuration)
        moved = re.findall(r'(?:accessGroup = @?|group: )"([^"]*)"', migration)
        expect(set(named) == set(moved), f"groups differ: {named} and {moved}")
        group = (named or [SHARED])[0]
        file = target.get("entitlements")
        entitled = plistlib.loads((self.folder / file).read_bytes()) if file else {}
        groups = [self.expanded(name.replace("$(AppIdentifierPrefix)", ""), bundle)
                  for name in entitled.get("keychain-access-groups", [])]
        # An app's own group needs no entry.
        expect(group in groups or group == bundle, f"{group} is not in the entitlements")
        expect(len(set(groups)) == len(groups), "a group is doubled")
        # The first is where the app's items go that name no group: it stays what it was.
        old = [each for each in self.before["targets"] if each["name"] == target["name"]]
        first = [self.expanded(name.replace("$(AppIdentifierPrefix)", ""), bundle) for name in old[0]["keychainGroups"]]
        expect(not groups or groups[0] == (first or [bundle])[0], "the app's items go to another group")

    def start(self, expect, target, _, configuration, migration):
        """The lines at the start: language, import, the locked device, the user id that was saved."""
        [file] = [file for file, text, where in self.follower.code if text == migration and where == "The migration"][:1]
        places = {path for step, _, text in self.plan.code("The migration") if text == migration for path, _ in step.places}
        expect(all(Path(path).suffix in ((".swift",) if file.endswith(".swift") else (".m", ".mm", ".h")) for path in places),
               "the lines are in another language than the delegate")
        expect(re.search(r"import ADALMigration(ObjC)?\b", migration), "the migration is not imported")
        expect(re.search(r"import (MSAL|<MSAL/MSAL\.h>)", configuration), "MSAL is not imported")
        expect(re.search(r"\.locked\b|CodeLocked\b", migration), "a locked device is not waited for")
        expect("protecteddatadidbecomeavailable" in migration.lower(),
               "the migration does not begin again once the device is unlocked")
        expect("NSApplication" in migration or re.search(r"willEnterForeground", migration, re.I),
               "a suspended app misses the unlocking")
        saves = any(finding["rule"] == "api.user-id" and finding["severity"] == "warning" for finding in self.before["findings"])
        # An account has an identifier only if MSAL finds it by that.
        taken = re.search(r'account\(?forADALUserID: ?(saved\)|\[defaults stringForKey:@"USER-ID-KEY"\])', migration, re.I)
        kept = re.search(r'[?t]\.identifier\b.*\bidentifier,? forKey: ?@?"MSALAccountIdentifier"', migration, re.S)
        expect(not saves or taken and kept, "the saved user id stays")
        # The user may have chosen another account since the first start.
        asked = re.search(r'string(\(f|F)orKey: ?@?"MSALAccountIdentifier"[)\]] != nil', migration)
        expect(not saves or asked, "a later start takes the user id again")

    def dependencies(self, expect, target, migration):
        """MSAL once, at a minor release that runs on the deployment target; the module that the code imports."""
        folder = Path(target["project"]).parent.parent
        podfiles = [self.folder / at / "Podfile" for at in (folder, *folder.parents) if (self.folder / at / "Podfile").exists()]
        module = re.search(r"import (\w+)", migration).group(1)
        if podfiles:
            text = podfiles[0].read_text("utf-8")
            pins = re.findall(r"^\s*pod 'MSAL'(?:, *'~> (\d+\.\d+\.\d+)')?", text, re.M)
            products = re.findall(r"^\s*pod '(ADALMigration\w*)'", text, re.M)
            old = r"^\s*pod ['\"]ADAL(iOS)?['\"]"
            expect(not re.search(old, text, re.M), "ADAL is still a pod")
        else:
            text = "\n".join(text for step in self.plan.of("Dependencies") for _, text in step.blocks)
            pins = re.findall(r'library-for-objc",\s*\.upToNextMinor\(from: "(\d+\.\d+\.\d+)"\)', text)
            products = [code for step in self.plan.of("Dependencies") for code in step.codes() if code.startswith("ADALMigration")]
        expect(len(pins) == 1 and pins[0], f"MSAL is added as {pins}")
        expect(products == [module], f"the code imports {module}, the dependency is {products}")
        if pins and pins[0]:
            least = next(iOS for first, iOS in NEEDS if tuple(numbers(pins[0])) >= first)
            expect(numbers(target["deploymentTarget"]) >= numbers(least), f"MSAL {pins[0]} needs iOS {least}")


PBXPROJ = """// !$*UTF8*$!
{objects = {
C1 = {isa = XCBuildConfiguration; name = Debug; buildSettings = {
SDKROOT = iphoneos;
INFOPLIST_FILE = Info.plist;
IPHONEOS_DEPLOYMENT_TARGET = 15.0;
PRODUCT_BUNDLE_IDENTIFIER = "com.$(COMPANY:rfc1034identifier).app";
}; };
C2 = {isa = XCBuildConfiguration; name = Debug; buildSettings = { }; };
K1 = {isa = XCConfigurationList; buildConfigurations = (C1); };
K2 = {isa = XCConfigurationList; buildConfigurations = (C2); };
F1 = {isa = PBXFileReference; path = AppDelegate.m; sourceTree = SOURCE_ROOT; };
B1 = {isa = PBXBuildFile; fileRef = F1; };
P1 = {isa = PBXSourcesBuildPhase; files = (B1); };
T1 = {
isa = PBXNativeTarget; buildConfigurationList = K1; buildPhases = (P1);
name = App; productType = "com.apple.product-type.application"; };
R = {isa = PBXProject; buildConfigurationList = K2; targets = (T1); };
}; rootObject = R; }
"""


def source(name, folder):
    """A project by its name; one that nobody has here is not checked."""
    if name == "legacy-app":
        return PACKAGE / "Samples" / "LegacyApp"
    if name == "open-app":
        # A bundle id that nobody can know, no entitlements, no schemes, packages in place of pods.
        app = folder / "open"
        (app / "App.xcodeproj").mkdir(parents=True)
        (app / "App.xcodeproj" / "project.pbxproj").write_text(PBXPROJ, "utf-8")
        (app / "Info.plist").write_bytes(plistlib.dumps({"CFBundleIdentifier": "$(PRODUCT_BUNDLE_IDENTIFIER)"}))
        (app / "AppDelegate.m").write_text(
            "#import <ADAL/ADAL.h>\n@interface AppDelegate : UIResponder <UIApplicationDelegate>\n@end\n", "utf-8")
        return app
    given = Path(PROJECTS or "", name, GIVEN[name]["path"])
    if not PROJECTS or not given.is_dir():
        pytest.skip(f"not checked: DOCTOR_PROJECTS names no folder with {name}, which is {GIVEN[name]['repo']} "
                    f"at {GIVEN[name]['commit'][:7]}")
    return given


def test_ten_projects_are_given():
    assert len(GIVEN) == 10
    assert {name for name, facts in GIVEN.items() if facts["library"] in ("adal", "both")} <= set(BUNDLE_IDS)


@pytest.mark.parametrize("name", ["legacy-app", "open-app", *GIVEN])
def test_a_project_that_follows_its_plan_agrees_with_itself(name, tmp_path):
    case = Case(name, source(name, tmp_path), tmp_path)
    assert case.disagreements() == []
    if case.before["library"] == "adal":
        # What is gone was there.
        assert MENDED & {finding["rule"] for finding in case.before["findings"]} and case.ids


SPOILED = [
    ("<string>msauth.com", "<string>msauth.org", "is not registered once"),
    ("<string>msauthv3</string>", "<string>msauthv4</string>", "query schemes are missing"),
    ('redirectUri: "msauth.com', 'redirectUri: "msauth.org', "is not of com.contoso.legacy"),
    ("URI `msauth.com.contoso.legacy://auth`", "URI `msauth.com.contoso.other://auth`", "is not in Registration"),
    ("Keep the redirect URI `legacyapp:", "Keep the redirect URI `otherapp:", "an old redirect URI is not kept"),
    ("<string>$(AppIdentifierPrefix)com.microsoft.", "<string>$(AppIdentifierPrefix)com.ms.", "is not in the entitlements"),
    ("let migration = A2MMigration()", 'let migration = A2MMigration()\n    migration.accessGroup = "a.b"', "groups differ"),
    ("pod 'MSAL', '~> 2.14.0'", "pod 'MSAL', '~> 2.14'", "MSAL is added as"),
    ("pod 'MSAL', '~> 2.14.0'", "pod 'MSAL', '~> 2.14.0'\npod 'MSAL', '~> 2.14.0'", "MSAL is added as"),
    ("pod 'ADALMigrationObjC'", "pod 'ADALMigration'", "the code imports ADALMigrationObjC"),
    ("raise the deployment target to iOS 16.0", "raise the deployment target to iOS 15.0", "needs iOS 16.0"),
    ("- [ ] Take out ADAL", "- [ ] Look at ADAL", "ADAL is still a pod"),
    ("import ADALMigrationObjC", "import MSAL", "the migration is not imported"),
    ("import MSAL\n\n", "import UIKit\n\n", "MSAL is not imported"),
    ("A2MErrorCode.locked", "A2MErrorCode.other", "a locked device is not waited for"),
    ("protectedDataDidBecomeAvailable", "didBecomeActive", "does not begin again"),
    ("willEnterForeground", "didEnterBackground", "a suspended app misses"),
    ("account(forADALUserID: saved)?", "accounts.first?", "the saved user id stays"),
    ("?.identifier else", "?.homeAccountID else", "the saved user id stays"),
    ('forKey: "MSALAccountIdentifier"', 'forKey: "USER-ID-KEY"', "the saved user id stays"),
    ('"MSALAccountIdentifier") != nil', '"MSALAccountIdentifier") == ""', "a later start takes the user id again"),
    ("handleMSALResponse(", "handle(", "still reports ['app.open-url-missing']"),
    ("- [ ] `USER-ID-KEY`", "- [ ] `KEY`", "USER-ID-KEY is not to be filled in"),
    ("- [ ] `USER-ID-KEY`", "- [ ] `CLIENT-ID`\n- [ ] `USER-ID-KEY`", "CLIENT-ID is to be filled in nowhere"),
    ("msauth.com.contoso.legacy", "msauth.com.contoso.--TARGET-NAME-", "looks real"),
    ("msauth.com.contoso.legacy", "msauth.$(PRODUCT_NAME)", "looks real"),
    ("`AD_SUCCEEDED`", "`AD_FAILED`", "`AD_FAILED` is not in LegacyApp/SignIn.swift:20"),
    ("SignIn.swift#L9)", "SignIn.swift#L900)", "no line LegacyApp/SignIn.swift:900"),
    ("- [ ] Take out ADAL", "- [ ] Take out ADAL\n- [ ] Take out ADAL", "the count of steps is another"),
    ("- [ ] Replace every", "- [ ] Replace every call of ADAL's\n- [ ] Replace every", "a step is doubled"),
    ("", "", "a row is doubled"),
    ("what to do", "what to do&#46;", "a full stop is an entity"),
]


@pytest.mark.parametrize("old, new, complaint", SPOILED, ids=range(len(SPOILED)))
def test_a_spoiled_plan_is_found(old, new, complaint, tmp_path):
    def spoil(text):
        if complaint == "a row is doubled":
            row = re.search(r"^\| \[`.*AD_SUCCEEDED.*\n", text, re.M).group()
            return text.replace(row, row + row)
        assert old in text
        return text.replace(old, new)

    found = Case("legacy-app", source("legacy-app", tmp_path), tmp_path, spoil).disagreements()
    assert any(complaint in sentence for sentence in found), found
