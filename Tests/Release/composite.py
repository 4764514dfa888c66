# SPDX-License-Identifier: MIT
"""Runs the steps of a composite GitHub action as a runner does: conditions, expressions, environment files.

What a step `uses` is a stand-in that the test gives. Of expressions there is what the action has: literals,
contexts, `!`, `&&`, `||`, `==`, `!=`, parentheses, `contains` and the status functions.
"""

import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import yaml

TOKEN = re.compile(r"\s*(?:('(?:[^']|'')*')|(&&|\|\||==|!=|[!(),])|([A-Za-z_][\w.-]*)|(\d+))")


class Expression:
    """An expression over contexts, which are functions of a dotted name."""

    def __init__(self, text, look_up, functions):
        self.tokens, self.at = [], 0
        self.look_up, self.functions = look_up, functions
        while text.strip():
            found = TOKEN.match(text)
            assert found, f"no expression of ours: {text!r}"
            self.tokens.append(found)
            text = text[found.end():]

    def value(self):
        result = self.either()
        assert self.at == len(self.tokens)
        return result

    def operator(self, *wanted):
        if self.at < len(self.tokens) and self.tokens[self.at][2] in wanted:
            self.at += 1
            return self.tokens[self.at - 1][2]
        return None

    def either(self):
        left = self.both()
        while self.operator("||"):
            right = self.both()
            left = left or right
        return left

    def both(self):
        left = self.equal()
        while self.operator("&&"):
            right = self.equal()
            left = left and right
        return left

    def equal(self):
        left = self.single()
        while sign := self.operator("==", "!="):
            # GitHub compares texts without regard to case.
            same = str(left).lower() == str(self.single()).lower()
            left = same == (sign == "==")
        return left

    def single(self):
        if self.operator("!"):
            return not self.single()
        if self.operator("("):
            inner = self.either()
            assert self.operator(")")
            return inner
        token = self.tokens[self.at]
        self.at += 1
        if token[1]:
            return token[1][1:-1].replace("''", "'")
        if token[4]:
            return int(token[4])
        assert token[3], f"unexpected {token[0]}"
        if not self.operator("("):
            return {"true": True, "false": False}.get(token[3], None) if token[3] in ("true", "false") \
                else self.look_up(token[3])
        arguments = []
        while not self.operator(")"):
            arguments.append(self.either())
            self.operator(",")
        return self.functions[token[3]](*arguments)


COMMAND = re.compile(r"^::(error|warning|notice) ?([^:]*)::(.*)$", re.M)


def annotations(log, workspace):
    """The annotations in a log as a runner reads them: kind, properties and message. Those that name a file must
    name one of the repository, from its root."""
    found = []
    for kind, properties, message in COMMAND.findall(log):
        values = dict(part.split("=", 1) for part in properties.split(",") if part)
        values = {name: value.replace("%3A", ":").replace("%2C", ",").replace("%25", "%") for name, value in values.items()}
        if "file" in values:
            assert not values["file"].startswith(("/", ".")) and (workspace / values["file"]).is_file(), values["file"]
        found.append((kind, values, message.replace("%0A", "\n").replace("%25", "%")))
    return found


@dataclass
class Step:
    """What became of a step."""

    outcome: str = "skipped"
    outputs: dict = field(default_factory=dict)
    log: str = ""


class Action:
    """An action in a checkout: `uses` gives for `owner/name` what stands in for that action, a function of
    its inputs and the checkout that returns outputs, or raises for a failure."""

    def __init__(self, file, checkout, temporary, uses, environment=()):
        self.action = yaml.safe_load(Path(file).read_text("utf-8"))
        assert self.action["runs"]["using"] == "composite"
        self.place, self.checkout, self.temporary = Path(file).parent, checkout, temporary
        self.uses, self.environment = uses, dict(environment)
        self.called, self.paths, self.last_paths = [], [], []
        self.summary = temporary / "summary.md"
        self.summary.touch()

    def run(self, **inputs):
        """Runs it with these inputs; the answer is whether it succeeded and its outputs."""
        known = self.action["inputs"]
        given = {name.replace("_", "-"): value for name, value in inputs.items()}
        assert set(given) <= set(known), set(given) - set(known)
        self.inputs = {name: str(given.get(name, one.get("default", ""))) for name, one in known.items()}
        self.steps, self.order, self.failed = {}, [], False
        for number, step in enumerate(self.action["runs"]["steps"]):
            self.step(step, step.get("id", f"step-{number}"))
        return not self.failed, {
            name: self.text(one["value"]) for name, one in self.action.get("outputs", {}).items()}

    def look_up(self, name):
        first, *rest = name.split(".")
        if first == "inputs":
            return self.inputs[rest[0]]
        if first == "steps":
            step = self.steps.get(rest[0], Step())
            return step.outcome if rest[1] == "outcome" else step.outputs.get(rest[2], "")
        return {"runner.temp": str(self.temporary), "github.action_path": str(self.place),
                "github.token": "no-token"}[name]

    def value(self, text):
        functions = {"always": lambda: True, "failure": lambda: self.failed, "success": lambda: not self.failed,
                     "cancelled": lambda: False, "contains": lambda whole, part: part.lower() in whole.lower()}
        return Expression(text, self.look_up, functions).value()

    def text(self, text):
        def shown(found):
            value = self.value(found[1])
            return str(value).lower() if isinstance(value, bool) else str(value)
        return re.sub(r"\$\{\{(.*?)\}\}", shown, str(text))

    def step(self, step, name):
        state = self.steps[name] = Step()
        condition = str(step.get("if", "success()")).strip()
        condition = re.sub(r"^\$\{\{(.*)\}\}$", r"\1", condition)
        if not re.search(r"\b(always|failure|cancelled|success)\(\)", condition):
            condition = f"success() && ({condition})"
        if not self.value(condition):
            return
        self.order.append(step["name"])
        good = self.shell(step, state) if "run" in step else self.call(step, state)
        state.outcome = "success" if good else "failure"
        if not good and not step.get("continue-on-error"):
            self.failed = True

    def call(self, step, state):
        action, version = step["uses"].split("@")
        assert re.fullmatch(r"[0-9a-f]{40}", version), f"{action} is not pinned"
        inputs = {name: self.text(value) for name, value in step.get("with", {}).items()}
        self.called.append((action, inputs))
        try:
            state.outputs = self.uses[action](inputs, self.checkout) or {}
        except RuntimeError as error:
            state.log = str(error)
            return False
        return True

    def shell(self, step, state):
        assert step["shell"] == "bash"
        files = {name: self.temporary / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_PATH")}
        for file in files.values():
            file.write_text("")
        environment = {
            **os.environ, **self.environment, **{name: str(file) for name, file in files.items()},
            "GITHUB_STEP_SUMMARY": str(self.summary),
            **{name: self.text(value) for name, value in step.get("env", {}).items()}}
        environment["PATH"] = ":".join([*self.last_paths, *reversed(self.paths), environment["PATH"]])
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", self.text(step["run"])],
            cwd=self.checkout, env=environment, capture_output=True, text=True, timeout=600)
        state.log = done.stdout + done.stderr
        for line in files["GITHUB_OUTPUT"].read_text("utf-8").splitlines():
            key, value = line.split("=", 1)
            state.outputs[key] = value
        self.paths += files["GITHUB_PATH"].read_text("utf-8").splitlines()
        return done.returncode == 0
