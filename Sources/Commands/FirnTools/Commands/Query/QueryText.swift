import FirnFormats
import FirnValues

/// Composes the text of a query from the arguments of the command line.
struct QueryText {
    /// The arguments in order; each is a stage.
    var stages: [String] = []
    var sort: String?
    var skip: Int?
    var limit: Int?
    var properties: String?
    var counts = false

    /// The class of a query without arguments, which the option `-c` names.
    var className: String?

    /// Returns the text of the query; the ranges of errors refer to it.
    func joined() throws(CommandFailure) -> TypedText {
        var text = TypedText()
        func separate() { if !text.text.isEmpty { text.add(" | ") } }
        if let className { text.add(className, of: className, from: 0, option: "-c") }
        for stage in stages {
            separate()
            text.add(stage, of: stage, from: 0, option: nil)
        }
        if let sort {
            separate()
            text.add("SORT(")
            try add(sortKeys: sort, to: &text)
            text.add(")")
        }
        if let skip {
            separate()
            text.add("SKIP(\(skip))")
        }
        if let limit {
            separate()
            text.add("LIMIT(\(limit))")
        }
        if let properties {
            separate()
            text.add("select(")
            text.add(properties, of: properties, from: 0, option: "-s")
            text.add(")")
        }
        if counts {
            separate()
            text.add("count")
        }
        return text
    }

    /// Returns the parts between commas; a name in backquotes may contain one.
    private func keys(in list: String) -> [Substring] {
        var isQuoted = false
        return list.unicodeScalars.split(omittingEmptySubsequences: false) { scalar in
            if scalar == "`" { isQuoted.toggle() }
            return scalar == "," && !isQuoted
        }.map { Substring($0) }
    }

    /// Converts `-age,name` to `age DESC, name ASC`.
    private func add(sortKeys list: String, to text: inout TypedText) throws(CommandFailure) {
        var start = 0
        for key in keys(in: list) {
            let isDescending = key.utf8.first == UInt8(ascii: "-")
            let name = String(key).trimmingBytes(first: isDescending ? 1 : 0)
            guard !name.isEmpty else {
                throw .diagnostic(.usage("--sort has an empty key in \"\(list)\""))
            }
            if start > 0 { text.add(", ") }
            text.add(name, of: list, from: start + (isDescending ? 1 : 0), option: "--sort")
            text.add(isDescending ? " DESC" : " ASC")
            start += key.utf8.count + 1
        }
    }
}

extension QueryText {
    /// The maximum size of an input, which is more than the query language accepts.
    static let bytesMax = 2 << 20

    /// Reads a query text from a file or from standard input.
    static func read(
        _ path: String, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> String {
        try SmallText.read(path, called: "the query", bytesMax: bytesMax, environment)
    }
}
