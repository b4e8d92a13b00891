#!/usr/bin/env python3
"""Tests of floors.py on small modules."""
import pathlib
import tempfile
import unittest

import floors

ORDER = "M\n    Low\n    Middle Beside\n    High\n"
LOW = "struct Low {\n    enum Kind { case plain }\n}\n"
HIGH = "struct High {\n    struct Part {}\n}\n"


class FloorsTest(unittest.TestCase):
    def breaches(self, order=ORDER, members=False, **files):
        """Returns "path:line text" of each breach. `Low_A` is the file A.swift of the folder Low."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / ".ci/checks").mkdir(parents=True)
            (root / ".ci/checks/floors.txt").write_text(order, encoding="utf-8")
            defaults = {"Low_Low": LOW, "Middle_Middle": "struct Middle {}\n",
                        "Beside_Beside": "struct Beside {}\n", "High_High": HIGH}
            for name, text in (defaults | files).items():
                path = root / "Sources/Room/M" / (name.replace("_", "/") + ".swift")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return [f"{path.as_posix()}:{line} {text}"
                    for path, line, text in floors.breaches(root, members=members)]

    def assert_crossing(self, name, line, declaring="Sources/Room/M/High/High.swift", **files):
        (key, _), = files.items()
        path = "Sources/Room/M/" + key.replace("_", "/") + ".swift"
        folder = key.split("_")[0]
        self.assertEqual(self.breaches(**files), [
            f"{path}:{line} {folder} must not use {name}, which {declaring} declares"])

    def assert_ordered(self, **files):
        self.assertEqual(self.breaches(**files), [])

    def test_a_type_may_be_used_by_its_own_folder_and_those_above(self):
        self.assert_ordered(High_A="struct A { let low: Low, kind: Low.Kind, middle: Middle, b: B }\n",
                            High_B="struct B { let high: High }\n")

    def test_the_use_of_a_type_above_is_printed_with_file_line_and_type(self):
        self.assert_crossing("High", 2, Low_A="struct A {\n    let high: High\n}\n")

    def test_each_type_is_printed_once_per_file(self):
        self.assert_crossing("High", 1, Low_A="let one: High? = nil\nlet two: High? = nil\n")

    def test_folders_on_one_line_do_not_use_each_other(self):
        self.assert_crossing("Beside", 1, "Sources/Room/M/Beside/Beside.swift",
                             Middle_A="let beside = Beside()\n")

    def test_comments_and_strings_do_not_count(self):
        self.assert_ordered(Low_A='''// High
/* High /* High */ High */
/// ``High``
let text = "High \\" High"
let raw = #"High " \\(High())"#
let lines = """
    High "quoted"
    """
''')

    def test_interpolations_count(self):
        self.assert_crossing("High", 3, Low_A='let a = """\n    High\n    \\("High: \\(High())")\n    """\n')

    def test_a_nested_type_hides_one_of_the_module(self):
        self.assert_ordered(Low_A="struct A {\n    let high: High\n    struct High {}\n}\n",
                            Low_B="extension A {\n    func f() -> High { High() }\n}\n")

    def test_a_private_type_hides_one_of_the_module_in_its_file_only(self):
        self.assertEqual(
            self.breaches(Low_A="private struct High {}\nlet high = High()\n",
                          Low_B="let high: High? = nil\n"),
            ["Sources/Room/M/Low/B.swift:1 Low must not use High, which Sources/Room/M/High/High.swift declares"])

    def test_a_nested_type_elsewhere_hides_nothing(self):
        self.assert_crossing("High", 2, Low_A="struct A { struct High {} }\nstruct B { let a: High }\n")

    def test_a_generic_parameter_hides_a_type(self):
        self.assert_ordered(
            Low_A="func f<High: Equatable, T>(_ high: High) -> High { high }\n"
                  "struct A<T, High> {\n    let high: High\n}\n")

    def test_a_type_of_another_module_is_meant_when_it_is_named(self):
        self.assert_ordered(Low_A="let high: Other.High? = nil\n")
        self.assert_crossing("High", 1, Low_A="let high: M.High? = nil\n")

    def test_an_extension_belongs_above_the_type(self):
        self.assert_ordered(High_A="extension Low {\n    var high: High { High() }\n}\n")
        self.assert_crossing("High", 1, Low_A="extension High {}\n")

    def test_a_type_nested_by_an_extension_above_is_above(self):
        extension = "extension Low {\n    struct Report {}\n}\n"
        self.assertEqual(
            self.breaches(High_A=extension, Middle_B="let report: Low.Report? = nil\n"),
            ["Sources/Room/M/Middle/B.swift:1 Middle must not use Low.Report, "
             "which Sources/Room/M/High/A.swift declares"])

    def test_a_static_member_of_an_extension_above_is_above(self):
        for extended in ("Low", "String"):
            extension = f"extension {extended} {{\n    static var special: Int {{ 1 }}\n}}\n"
            self.assertEqual(
                self.breaches(High_A=extension, Middle_B=f"let number = {extended}.special\n"),
                [f"Sources/Room/M/Middle/B.swift:1 Middle must not use {extended}.special, "
                 "which Sources/Room/M/High/A.swift declares"])

    def test_members_are_found_by_name_if_that_is_wanted(self):
        files = {"High_A": "extension Low {\n    func finished() {}\n}\n",
                 "Middle_B": "func f(_ low: Low) { low.finished() }\n"}
        self.assert_ordered(**files)
        self.assertEqual(self.breaches(members=True, **files), [
            "Sources/Room/M/Middle/B.swift:1 Middle must not use .finished, "
            "which Sources/Room/M/High/A.swift declares"])

    def test_every_folder_has_one_floor(self):
        self.assertEqual(self.breaches(Extra_A="struct A {}\n"),
                         [".ci/checks/floors.txt:1 Sources/Room/M/Extra has no floor"])
        self.assertEqual(self.breaches(order=ORDER + "    Gone\n"),
                         [".ci/checks/floors.txt:5 Sources/Room/M/Gone holds no source file"])
        self.assertEqual(self.breaches(order=ORDER + "    Low\n"),
                         [".ci/checks/floors.txt:5 Low is listed twice"])

    def test_a_module_without_floors_is_not_checked(self):
        self.assertEqual(self.breaches(order="", Low_A="let high: High? = nil\n"), [])


if __name__ == "__main__":
    unittest.main()
