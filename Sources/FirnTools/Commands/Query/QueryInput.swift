/// Reads a query text from a file or from standard input.
enum QueryInput {
    /// This is more than the query language accepts.
    static let bytesMax = 2 << 20

    static func read(
        _ path: String, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> String {
        try SmallText.read(path, called: "the query", bytesMax: bytesMax, environment)
    }
}
