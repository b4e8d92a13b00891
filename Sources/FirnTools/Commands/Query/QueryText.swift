/// Composes the text of a query from the arguments of the command line.
struct QueryText {
    /// The arguments in order; each is a stage.
    var stages: [String] = []
    var sort: String?
    var skip: Int?
    var limit: Int?
    var properties: String?
    var counts = false

    /// Returns the text of the query; the ranges of errors refer to it.
    func joined() throws(CommandFailure) -> String {
        var parts = stages
        if let sort { parts.append("SORT(\(try sortKeys(sort)))") }
        if let skip { parts.append("SKIP(\(skip))") }
        if let limit { parts.append("LIMIT(\(limit))") }
        if let properties { parts.append("select(\(properties))") }
        if counts { parts.append("count") }
        return parts.joined(separator: " | ")
    }

    /// Converts `-age,name` to `age DESC, name ASC`.
    private func sortKeys(_ list: String) throws(CommandFailure) -> String {
        var keys: [String] = []
        for key in list.split(separator: ",", omittingEmptySubsequences: false) {
            let isDescending = key.hasPrefix("-")
            let name = isDescending ? key.dropFirst() : key
            guard !name.isEmpty else {
                throw .diagnostic(.usage("--sort has an empty key in \"\(list)\""))
            }
            keys.append("\(name) \(isDescending ? "DESC" : "ASC")")
        }
        return keys.joined(separator: ", ")
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
