import ArgumentParser
import FirnFormats
import FirnValues

/// The options for linked objects and large integers.
struct ObjectOptions: ParsableArguments {
    /// The JSON form of a 64-bit integer.
    enum Integers: String, ExpressibleByArgument, CaseIterable {
        case number
        case string
    }

    /// The maximum depth; each object can link to many others, so more levels are not useful.
    static let depthMax = 32

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write linked objects instead of their keys, up to N levels deep.", valueName: "N"))
    var depth = 0

    @Option(name: .long, help: "Write 64-bit integers in JSON as number or string.")
    var int64: Integers = .number

    @Flag(
        name: .customLong("csv-safe"),
        help: "In csv, put ' before text that a spreadsheet would run as a formula.")
    var csvSafe = false

    mutating func validate() throws {
        guard (0...ObjectOptions.depthMax).contains(depth) else {
            throw ValidationError("--depth must be a number from 0 to \(ObjectOptions.depthMax)")
        }
    }

    /// The given values.
    var layout: ObjectLayout {
        ObjectLayout(
            depth: depth, quotesInt64: int64 == .string, disarmsFormulas: csvSafe)
    }
}

/// The layout of linked objects and large integers, as plain values.
struct ObjectLayout: Hashable {
    var depth = 0
    var quotesInt64 = false
    var disarmsFormulas = false

    /// Returns the options for the values that a writer gets as text.
    func values(for writer: any ResultWriter) -> ValueOptions {
        var options = ValueOptions()
        options.depth = depth
        options.quotesInt64 = quotesInt64 && writer.linkStyle == .json
        options.linkStyle = writer.linkStyle
        options.keepsValues = writer.keepsValues
        return options
    }
}
