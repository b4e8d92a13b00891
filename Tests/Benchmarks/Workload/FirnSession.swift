import FirnEngine
import FirnFormats
import FirnPlatform
import FirnTesting
import FirnText
import FirnTools

/// Runs commands of Firn in this process, exactly as the `firn` program does.
enum FirnSession {
    /// Creates a database from the CSV.
    static func importing(
        _ csv: String, into database: String, options: StoreOptions = StoreOptions()
    ) throws {
        try run(
            ["create", database, "--from", csv, "--class", FlightsData.className, "-q"],
            options: options)
    }

    /// Exports all flights and discards the output.
    ///
    /// - Returns: the number of bytes.
    @discardableResult
    static func exporting(_ database: String, format: String) throws -> UInt64 {
        try run(["export", database, "-", "-c", FlightsData.className, "-f", format, "-q"])
    }

    @discardableResult
    private static func run(
        _ words: [String], options: StoreOptions = StoreOptions()
    ) throws -> UInt64 {
        let output = CountingSink()
        let errors = MemorySink()
        var environment = CommandEnvironment(
            services: .real, input: MemorySource([]), output: output, errors: errors)
        environment.storeOptions = options
        let ending = FirnCommand.run(words, in: environment)
        guard ending == .status(.ok) else {
            throw ProgramError("firn \(words.joined(separator: " ")) failed:\n\(errors.text)")
        }
        return output.byteCount
    }
}

/// Counts bytes and discards them.
private final class CountingSink: ByteSink {
    private(set) var byteCount: UInt64 = 0

    func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        byteCount += UInt64(bytes.count)
    }
}
