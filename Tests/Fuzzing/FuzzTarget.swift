import FirnPlatform
import FirnTesting
import FirnTools

/// Targets for arbitrary bytes: commands of the real program in this process, on a machine in
/// memory; and its server, on a real file.
///
/// Whatever the bytes are, a command ends with a status; if that is not 0, it reports the reason on
/// standard error; and the existing database stays sound, unless the bytes are the database.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// An imported table, with columns of detected types.
    case csv
    /// Imported JSON.
    case json
    case ndjson
    /// Operations on a database.
    case operations
    /// The stream of `observe`, applied.
    case observed
    /// The classes of a new database.
    case schema
    /// The text of a query.
    case query
    /// The text of a statement that changes data.
    case statement
    /// Lines typed into the shell.
    case shell
    /// The bytes of a database.
    case database
    /// A Parquet or Arrow file, with columns of declared types.
    case columnar
    /// A file of Realm, which may be encrypted.
    case realm
    /// A database of SQLite, which another library reads from a real file.
    case sqlite
    /// An input in gzip or zstd.
    case compressed
    /// Requests to the server, one after the other on a connection of their own.
    case request

    /// Runs the target.
    ///
    /// - Throws: ``FuzzFailure`` if a rule was broken that applies to all inputs.
    package func run(_ bytes: [UInt8]) throws {
        if self == .request { return try FuzzServer.shared.get().run(bytes) }
        let machine = try FuzzMachine()
        for words in commands(bytes) { try machine.run(words, input: bytes) }
        if self != .database { try machine.checkPeople() }
        if self == .realm { try machine.check(FuzzTarget.made) }
    }

    /// The path of a new database.
    private static let made = "/made.firn"

    private func commands(_ bytes: [UInt8]) -> [[String]] {
        let (people, made) = (FuzzMachine.people, FuzzTarget.made)
        switch self {
        case .csv:
            return [
                ["write", made, "--create", "-c", "Row", "--input", "csv", "-"],
                ["export", made, "-f", "csv"],
            ]
        case .json, .ndjson:
            return [
                ["write", made, "--create", "-c", "Row", "--input", rawValue, "-"],
                ["export", made, "-f", "json"],
            ]
        case .operations: return [["write", people, "--input", "ops", "-"]]
        case .observed:
            return [["write", made, "--create", "--input", "observe", "-"], ["check", made]]
        case .schema: return [["create", made, "--schema", "-"], ["schema", made]]
        case .query:
            let text = String(decoding: bytes, as: UTF8.self)
            return [
                ["query", people, text, "-f", "json"], ["query", people, text, "-f", "box"],
                ["explain", people, text],
            ]
        case .statement:
            return [["write", people, "-x", String(decoding: bytes, as: UTF8.self)]]
        case .columnar:
            return [["create", made, "--from", "Row=-"], ["export", made, "-f", "json"]]
        case .realm:
            let given = FuzzMachine.givenRealm
            return [
                ["schema", given], ["export", given, "-f", "json"],
                ["create", made, "--from", given, "--key-file", FuzzMachine.realmKey],
            ]
        case .sqlite:
            return [
                ["create", made, "--from", FuzzMachine.foreign], ["export", made, "-f", "json"],
            ]
        case .compressed:
            return [
                ["write", made, "--create", "-c", "Row", "-"], ["export", made, "-f", "json"],
            ]
        case .shell: return [["repl", "--safe", people]]
        case .request: return []
        case .database:
            return [
                ["check", FuzzMachine.given, "--deep"],
                ["export", FuzzMachine.given, "-f", "json"],
                ["stats", FuzzMachine.given], ["compact", FuzzMachine.given],
            ]
        }
    }
}

/// A broken rule.
package struct FuzzFailure: Error, CustomStringConvertible {
    package let description: String
}
