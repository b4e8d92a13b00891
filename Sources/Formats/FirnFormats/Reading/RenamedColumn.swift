import FirnValues

/// A column whose name an earlier column already had.
package struct RenamedColumn {
    let name: String
    let newName: String

    /// Returns distinct names, such as `a_2` for the second `a`, and the columns that were renamed.
    static func numbering(_ given: [String]) -> (names: [String], renamed: [RenamedColumn]) {
        let all = TextSet(given)
        var names: [String] = []
        var renamed: [RenamedColumn] = []
        var counts: TextMap<Int> = [:]
        for name in given {
            var newName = name
            var number = counts[name, default: 0] + 1
            while number > 1, all.contains("\(name)_\(number)") { number += 1 }
            counts[name] = number
            if number > 1 {
                newName = "\(name)_\(number)"
                renamed.append(RenamedColumn(name: name, newName: newName))
            }
            names.append(newName)
        }
        return (names, renamed)
    }

    /// Returns what happened to the column, for the report of an input.
    package func note(in input: String) -> String {
        "\(SafeText.escaping(input)): another column is called \"\(SafeText.escaping(name))\"; "
            + "this one became \"\(SafeText.escaping(newName))\""
    }
}
