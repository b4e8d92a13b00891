#!/usr/bin/env python3
"""The floors of each module: `.ci/checks/floors.txt` lists its folders from the bottom up, and a type may be
used only by its own folder and by the folders on later lines.

usage: floors.py [--members] [MODULE ...]

Prints every use of a type from a higher folder, or from another folder on the same line. A module
that the list does not name is not checked. Names are resolved as Swift resolves them: a nested type
of the types around the use comes first, then a private type of the file, then a type of the module.
`Outer.Inner` uses both types; `Type.member` uses the extension that declares the member. Comments and
the text of string literals do not count, interpolations do.

With --members, also prints where `.member` uses a member that only an extension in a higher folder
declares. This check knows no types: it considers only names that Sources declares once, and takes a
member of the standard library for one of ours if the names are equal. So it is a help, not a rule.
"""
import bisect
import collections
import pathlib
import re
import sys

FLOORS = pathlib.Path(".ci/checks/floors.txt")

LITERAL = re.compile(r'//|/\*|(#*)("""|")')
COMMENT_EDGE = re.compile(r"/\*|\*/")
PARENTHESIS_OR_LITERAL = re.compile(r'[()]|//|/\*|(#*)("""|")')
NAME = r"[A-Za-z_]\w*"
CHAIN = rf"[A-Z]\w*(?:\s*\.\s*{NAME})*"
TOKEN = re.compile(
    rf"(?P<brace>[{{}}])"
    rf"|(?<![\w.`])(?:(?P<kind>struct|class|enum|protocol|actor|typealias|associatedtype|extension)"
    rf"\s+(?P<type>[A-Z]\w*(?:\s*\.\s*[A-Z]\w*)*)"
    rf"|(?P<member>func|var|let|case|init|subscript)\b(?:\s+`?(?P<name>[a-z_]\w*))?"
    rf"|(?P<chain>{CHAIN}))")
PRIVATE = re.compile(r"\b(?:fileprivate|private)\s[^\n;{}]*$")
# Before it may be the question mark of an initialiser, or the name of an operator.
GENERICS = re.compile(r"(?:[?!]|\s+[^\s\w(]+\s+)?<(?=\w)")
NO_TYPE = {"Self", "Type", "Protocol"}


def code_of(text):
    """Returns the text with blanks for its comments and the characters of its string literals."""
    pieces, position = [], 0

    def blank(start, end):
        pieces.append(re.sub(r"[^\n]", " ", text[start:end]))
        return end

    def skip(match):
        """Skips a comment or a literal, and returns its end."""
        if match[0] == "//":
            end = text.find("\n", match.start())
            return blank(match.start(), len(text) if end < 0 else end)
        if match[0] != "/*":
            return skip_string(match.start(), match.end(), match[1], match[2])
        depth, end = 1, match.end()
        while depth:
            edge = COMMENT_EDGE.search(text, end)
            if edge is None:
                return blank(match.start(), len(text))
            depth, end = depth + (1 if edge[0] == "/*" else -1), edge.end()
        return blank(match.start(), end)

    def skip_string(start, position, pounds, quote):
        escape = "\\" + pounds
        edge = re.compile(rf"{re.escape(escape)}(\(|.)|{quote}{pounds}", re.DOTALL)
        while True:
            match = edge.search(text, position)
            if match is None:
                return blank(start, len(text))
            position = match.end()
            if match[1] is None:
                return blank(start, position)
            if match[1] == "(":
                blank(start, position - 1)
                position = start = skip_interpolation(position - 1)

    def skip_interpolation(position):
        """Keeps the code from a parenthesis to the one that closes it, and returns its end."""
        depth = 0
        while True:
            match = PARENTHESIS_OR_LITERAL.search(text, position)
            if match is None:
                pieces.append(text[position:])
                return len(text)
            if match[0] in "()":
                depth += 1 if match[0] == "(" else -1
                pieces.append(text[position:match.end()])
                position = match.end()
                if depth == 0:
                    return position
            else:
                pieces.append(text[position:match.start()])
                position = skip(match)

    while match := LITERAL.search(text, position):
        pieces.append(text[position:match.start()])
        position = skip(match)
    pieces.append(text[position:])
    return "".join(pieces)


def generic_names(code, position):
    """Returns the names of the generic parameters in the angle brackets at a position, if any."""
    opening = GENERICS.match(code, position)
    if not opening:
        return frozenset()
    depth, end = 1, opening.end()
    while depth and end < len(code):
        if code[end] == "<":
            depth += 1
        elif code[end] == ">" and code[end - 1] != "-":
            depth -= 1
        end += 1
    parameters, depth = [""], 0
    for character in code[opening.end():end - 1]:
        depth += {"<": 1, "(": 1, ">": -1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parameters.append("")
        else:
            parameters[-1] += character
    return frozenset(re.split(r"[:\s]", parameter.strip())[0].removeprefix("each ")
                     for parameter in parameters)


class Scope:
    """What a pair of braces belongs to: a type or an extension by its path, or anything else."""

    def __init__(self, path=None, generics=frozenset(), private=False, kind=None):
        self.path, self.generics, self.private, self.kind = path, generics, private, kind


class File:
    """The declarations and the uses of types in one source file."""

    def __init__(self, path, folder, text):
        self.path, self.folder = path, folder
        self.types = []    # (path, is private, line)
        self.members = []  # (path of the type or None, name, is private, line, is in an extension)
        self.uses = []     # (names of a chain, paths of the types around it, line)
        self.code = code_of(text)
        self.starts = [match.end() for match in re.finditer(r"\n", self.code)]
        self.scan()

    def line(self, position):
        return bisect.bisect_right(self.starts, position) + 1

    def scan(self):
        scopes, pending = [Scope()], None
        for token in TOKEN.finditer(self.code):
            if token["brace"] == "{":
                scopes.append(pending or Scope(private=True))
                pending = None
            elif token["brace"]:
                pending = None
                if len(scopes) > 1:
                    scopes.pop()
            elif token["kind"]:
                pending = self.declare(token, scopes) or pending
            elif token["member"]:
                pending = self.declare_member(token, scopes) or pending
            else:
                self.use(token["chain"], token.start(), scopes, pending)

    def is_private(self, position):
        return bool(PRIVATE.search(self.code, self.code.rfind("\n", 0, position) + 1, position))

    def declare(self, token, scopes):
        outer, kind = scopes[-1], token["kind"]
        names = re.split(r"\s*\.\s*", token["type"])
        generics = generic_names(self.code, token.end())
        private = outer.private or self.is_private(token.start())
        if kind == "extension":
            self.use(token["type"], token.start(), scopes, None)
            return Scope(".".join(names), generics, private, kind)
        path = f"{outer.path}.{names[0]}" if outer.path else names[0]
        self.types.append((path, private, self.line(token.start())))
        if kind in ("typealias", "associatedtype"):
            return None
        return Scope(path, generics, private, kind)

    def declare_member(self, token, scopes):
        outer = scopes[-1]
        is_member = outer.path is not None or len(scopes) == 1
        if is_member and token["name"]:
            self.members.append((
                outer.path, token["name"], outer.private or self.is_private(token.start()),
                self.line(token.start()), outer.kind == "extension"))
        if token["member"] in ("func", "init", "subscript"):
            return Scope(None, generic_names(self.code, token.end()), True)
        return None

    def use(self, chain, position, scopes, pending):
        names = re.split(r"\s*\.\s*", chain)
        around = []
        for scope in [pending or scopes[-1]] + scopes[::-1]:
            if names[0] in scope.generics:
                return
            if scope.path and scope.path not in around:
                around.append(scope.path)
        self.uses.append((names, around, self.line(position)))


class Module:
    """The declared names of a module, and the crossings of its floors."""

    def __init__(self, name, files):
        self.name, self.files = name, files
        self.types = collections.defaultdict(list)    # path -> files with a declaration for all
        self.private = collections.defaultdict(set)   # file -> paths
        self.members = collections.defaultdict(list)  # (path, name) -> files
        for file in files:
            for path, private, _ in file.types:
                if private:
                    self.private[file].add(path)
                else:
                    self.types[path].append(file)
            for path, name, private, _, _ in file.members:
                if path and not private:
                    self.members[path, name].append(file)

    def resolve(self, file, names, around):
        """Yields each name that a chain stands for, with the files that declare it."""
        if names[0] == self.name and len(names) > 1:
            names = names[1:]
        path = self.first(file, names[0], around)
        if path is None:
            return
        if path in self.types:
            yield path, self.types[path]
        for name in names[1:]:
            if f"{path}.{name}" in self.private[file]:
                return
            if f"{path}.{name}" in self.types:
                path = f"{path}.{name}"
                yield path, self.types[path]
            else:
                declaring = self.members.get((path, name), [])
                if not set(declaring) & set(self.types.get(path, [])):
                    yield f"{path}.{name}", declaring
                return

    def first(self, file, name, around):
        """Returns the path of the type that a name means, unless the file alone knows the type.

        A name that the module does not declare is that of a type of another module, which an
        extension of this module may have members for.
        """
        if name in NO_TYPE:
            return None
        for outer in around:
            while outer:
                path = f"{outer}.{name}"
                if path in self.private[file]:
                    return None
                if path in self.types:
                    return path
                outer = outer.rpartition(".")[0]
        return None if name in self.private[file] else name

    def crossings(self, floors):
        """Returns (file, line, name, declaring file) of each use of a name from a floor above."""
        found = []
        for file in self.files:
            seen = set()
            for names, around, line in file.uses:
                for path, declaring in self.resolve(file, names, around):
                    if path in seen or not declaring:
                        continue
                    if not any(is_below(floors, other.folder, file.folder) for other in declaring):
                        seen.add(path)
                        found.append((file, line, path, declaring[0]))
        return found


def is_below(floors, lower, upper):
    return lower == upper or floors.get(lower, 0) < floors.get(upper, 0)


def read_floors(text):
    """Returns the number of each folder's floor, by module, and the mistakes of the text."""
    floors, mistakes, module = {}, [], None
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if not line[0].isspace():
            module = floors.setdefault(words[0], {})
            words = words[1:]
        for word in words:
            if module is None or word in module:
                mistakes.append((number, f"{word} is listed twice"))
            else:
                module[word] = number
    return floors, mistakes


def top_of(root, name):
    """Returns the folder of a module, which is below that of its room."""
    return next(path for path in sorted((root / "Sources").glob(f"*/{name}")) if path.is_dir())


def read_module(root, name):
    top = top_of(root, name)
    files = []
    for path in sorted(top.rglob("*.swift")):
        folder = path.parent.relative_to(top).as_posix()
        files.append(File(path.relative_to(root), folder, path.read_text(encoding="utf-8")))
    return Module(name, files)


def member_crossings(module, floors, modules):
    """Returns the uses of members by name alone, where a floor above declares the only ones."""
    declared = collections.defaultdict(set)
    for other in modules:
        for file in other.files:
            for path, name, private, _, in_extension in file.members:
                declared[name].add((other.name, file.folder, in_extension or path is None))
    found = []
    for file in module.files:
        seen = set()
        for match in re.finditer(r"\.\s*([a-z]\w*)", file.code):
            name = match[1]
            if name in seen or len(declared.get(name, ())) != 1:
                continue
            (owner, folder, is_extension), = declared[name]
            if owner == module.name and is_extension and not is_below(floors, folder, file.folder):
                seen.add(name)
                declaring = next(other for other in module.files if other.folder == folder
                                 and any(member[1] == name for member in other.members))
                found.append((file, file.line(match.start()), name, declaring))
    return found


def text_of(file, name, other):
    return f"{file.folder} must not use {name}, which {other.path.as_posix()} declares"


def breaches(root, only=(), members=False):
    """Returns (path, line, text) of each crossing, and of each mistake in the file of floors."""
    floors, mistakes = read_floors((root / FLOORS).read_text(encoding="utf-8"))
    found = [(FLOORS, number, text) for number, text in mistakes]
    modules = {}
    for name, order in floors.items():
        if only and name not in only:
            continue
        module = modules[name] = read_module(root, name)
        folders = {file.folder for file in module.files}
        place = top_of(root, name).relative_to(root).as_posix()
        for folder in sorted(folders - order.keys()):
            found.append((FLOORS, 1, f"{place}/{folder} has no floor"))
        for folder in sorted(order.keys() - folders):
            found.append((FLOORS, order[folder], f"{place}/{folder} holds no source file"))
        for file, line, path, other in module.crossings(order):
            found.append((file.path, line, text_of(file, path, other)))
    if members:
        for path in sorted((root / "Sources").glob("*/*/")):
            modules.setdefault(path.name, None)
        everything = [module or read_module(root, name) for name, module in modules.items()]
        for module in everything:
            if module.name in floors and (not only or module.name in only):
                for file, line, name, other in member_crossings(
                        module, floors[module.name], everything):
                    found.append((file.path, line, text_of(file, f".{name}", other)))
    return found


def main():
    arguments = sys.argv[1:]
    found = breaches(pathlib.Path("."), [word for word in arguments if word != "--members"],
                     "--members" in arguments)
    for path, line, text in found:
        print(f"{path}:{line}: {text}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
