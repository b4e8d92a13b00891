import FirnTesting

/// The source of a man page.
struct ManualPage {
    let lines: [String]

    /// - Parameter name: `firn-query.1`.
    init(_ name: String) throws {
        let section = name.split(separator: ".").last ?? ""
        lines = try ManualPage.lines(of: "man/man\(section)/\(name)")
    }

    /// The folder of the repository.
    static let folder = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

    /// The lines of a file of the repository.
    static func lines(of path: String) throws -> [String] {
        let bytes = try Fixtures.read("\(folder)/\(path)")
        return String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The titles of the sections.
    var sections: [String] { lines.filter { $0.hasPrefix(".Sh ") }.map { String($0.dropFirst(4)) } }

    /// All options that the page mentions, as typed.
    var mentioned: Set<String> { Set(lines.flatMap(ManualPage.options)) }

    /// The options with a paragraph of their own.
    var explained: Set<String> {
        Set(lines.filter { $0.hasPrefix(".It Fl ") }.flatMap(ManualPage.options))
    }

    /// The words of the paragraph of an option.
    func words(about option: String) -> Set<String> {
        guard
            let start = lines.firstIndex(where: {
                $0.hasPrefix(".It Fl ") && ManualPage.options(in: $0).contains(option)
            })
        else { return [] }
        let end = lines[(start + 1)...].firstIndex { $0.hasPrefix(".It ") || $0.hasPrefix(".El") }
        let paragraph = lines[start..<(end ?? lines.endIndex)]
        return Set(paragraph.flatMap { $0.split(separator: " ") }.map(String.init))
    }

    /// The options after `Fl` in a line of macros, up to the next macro.
    private static func options(in line: String) -> [String] {
        guard line.hasPrefix("."), !line.hasPrefix(".\\\"") else { return [] }
        var options: [String] = []
        var isFlag = false
        for word in line.dropFirst().split(separator: " ") {
            if word == "Fl" {
                isFlag = true
            } else if word.count == 2, word.first?.isUppercase == true {
                isFlag = false
            } else if isFlag, word.last?.isLetter == true || word.last?.isNumber == true {
                options.append("-" + word)
            }
        }
        return options
    }
}
