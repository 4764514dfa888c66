# SPDX-License-Identifier: MIT
"""Somebody who does to the letter what a plan of `doctor` says, as far as it is text: property lists, entitlements,
dependencies, imports and code. What is a person's to decide (calls, registrations, tests) is left to persons."""

import plistlib
import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

LINK = re.compile(r"\[(`+) ?(.+?) ?\1\]\(([^)#]+)(?:#L(\d+))?\)")
SUFFIX = {"swift": "swift", "objective-c": "m"}


@dataclass
class Step:
    chapter: str
    text: str
    places: list = field(default_factory=list)  # (file, line) of each link
    blocks: list = field(default_factory=list)  # (language, text)
    rows: list = field(default_factory=list)  # the cells of a table

    def codes(self):
        return re.findall(r"(?<!`)`([^`]+)`(?!`)", LINK.sub("", self.text))


class Plan:
    def __init__(self, text):
        self.text, self.steps, self.chapters = text, [], {}
        chapter = fence = None
        for line in text.splitlines():
            if fence is not None:
                if line == fence:
                    self.steps[-1].blocks.append((language, "\n".join(code) + "\n"))
                    fence = None
                else:
                    code.append(line)
                continue
            if line.startswith("```"):
                fence = re.match("`+", line).group()
                language, code = line.removeprefix(fence), []
            elif heading := re.match(r"## \d+\. (.*)", line):
                chapter = heading.group(1)
                self.chapters[chapter] = []
            elif box := re.match(r" *- \[ \] (.*)", line):
                self.steps.append(Step(chapter, box.group(1), links(line)))
            elif line.startswith("|"):
                self.steps[-1].rows.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))])
            elif self.steps and line.startswith("  - ["):
                self.steps[-1].places += links(line)
            if chapter:
                self.chapters[chapter].append(line)

    def of(self, chapter):
        return [step for step in self.steps if step.chapter == chapter]

    def code(self, chapter):
        """The blocks of code of a chapter's steps, each with its step."""
        return [(step, language, text) for step in self.of(chapter) for language, text in step.blocks if language in SUFFIX]

    @property
    def to_fill_in(self):
        return {code for step in self.of("To fill in") for code in step.codes()}


def links(line):
    return [(unquote(file), int(number or 0)) for _, _, file, number in LINK.findall(line)]


def merged(there, new):
    """A property list with the entries of another one beside its own."""
    for key, value in new.items():
        if isinstance(value, list):
            there[key] = there.get(key, []) + [item for item in value if item not in there.get(key, [])]
        else:
            there[key] = value
    return there


class Follower:
    """A project, changed as a plan says."""

    def __init__(self, folder, plan):
        self.folder, self.plan = Path(folder), plan
        self.code = []  # what was added to the sources: (file, text, chapter)

    def lines(self, file):
        # Not splitlines: the command counts line feeds only.
        return (self.folder / file).read_text("utf-8", "surrogateescape").split("\n")

    def write(self, file, lines):
        (self.folder / file).write_text("\n".join(lines), "utf-8", "surrogateescape")

    def follow(self):
        self.calls()
        self.dependencies()
        for step in self.plan.of("Property lists"):
            self.list(step, [file for file, _ in step.places] + step.codes())
        for step in self.plan.of("Entitlements"):
            self.list(step, [file for file, _ in step.places] + step.codes())
        self.sources()
        return self

    def calls(self):
        for step in self.plan.of("Calls"):
            for place, _, becomes in step.rows[2:]:
                [(file, number)] = links(place)
                if becomes in ("`import MSAL`", "`#import <MSAL/MSAL.h>`"):
                    lines = self.lines(file)
                    lines[number - 1] = becomes.strip("`")
                    self.write(file, lines)

    def dependencies(self):
        steps = self.plan.of("Dependencies")
        # Lines are taken out last: what is below them would move.
        for step in steps:
            if version := re.search("raise the deployment target to iOS ([0-9.]+)", step.text):
                for file, number in step.places:
                    lines = self.lines(file)
                    old = r"(IPHONEOS_DEPLOYMENT_TARGET = |platform :ios, *['\"])[0-9.]+"
                    assert re.search(old, lines[number - 1]), f"{file}:{number} has no deployment target"
                    lines[number - 1] = re.sub(old, rf"\g<1>{version.group(1)}", lines[number - 1])
                    self.write(file, lines)
        pods = {}
        for step in steps:
            for file, number in step.places:
                lines = self.lines(file)
                if "remove it from the project" in step.text:
                    name = re.search(r"\w*ADAL\w*\.(framework|a)", lines[number - 1]).group()
                    self.write(file, [line for line in lines if name not in line])
                elif step.text.startswith("Take out ADAL"):
                    pods.setdefault(file, []).append(number - 1)
        for step in steps:
            for language, text in step.blocks:
                if language == "ruby":
                    [podfile] = step.codes()
                    lines = self.lines(podfile)
                    for number in sorted(pods.get(podfile, []), reverse=True):
                        lines[number:number + 1] = text.splitlines()
                    self.write(podfile, lines)

    def list(self, step, names):
        for language, text in step.blocks:
            if language != "xml":
                continue
            new = plistlib.loads(f'<plist version="1.0"><dict>{text}</dict></plist>'.encode())
            if "new entitlements" in step.text:
                name = self.new_entitlements(*step.codes())
            else:
                [name] = dict.fromkeys(names)
            file = self.folder / name
            there = plistlib.loads(file.read_bytes()) if file.exists() else {}
            file.write_bytes(plistlib.dumps(merged(there, new)))

    def new_entitlements(self, target):
        """A file of entitlements for a target, which its build settings name."""
        [project] = [file for file in self.folder.rglob("project.pbxproj")
                     if "Pods" not in file.parts and re.search(rf'isa = PBXNativeTarget;.*?name = "?{re.escape(target)}"?;',
                                                              file.read_text("utf-8"), re.S)]
        text = project.read_text("utf-8")
        changed = re.sub(r"(\n\s*)(INFOPLIST_FILE = )", rf'\1CODE_SIGN_ENTITLEMENTS = "{target}.entitlements";\1\2', text)
        assert changed != text, f"{target} has no settings"
        project.write_text(changed, "utf-8")
        return (project.parent.parent / f"{target}.entitlements").relative_to(self.folder)

    def sources(self):
        for chapter in ("Configuration", "The migration"):
            for step, language, text in self.plan.code(chapter):
                file = step.places[0][0] if step.places else "Added"
                if chapter == "Configuration":
                    migration = self.plan.code("The migration")[len([c for c in self.code if c[2] == chapter])][0]
                    place = Path(migration.places[0][0]) if migration.places else Path("Added")
                    file = place.with_name("MSALApplication")
                file = str(Path(file).with_suffix(f".{SUFFIX[language]}"))
                path = self.folder / file
                there = path.read_text("utf-8", "surrogateescape") if path.exists() else ""
                path.write_text(f"{text}\n{there}", "utf-8", "surrogateescape")
                self.code.append((file, text, chapter))
