import FirnCodec
import FirnEngine
import FirnFormats
import FirnQuery
import FirnTools
import FirnValues
import NIOHTTP1

/// The entity tag of a result: the version, the history to which it belongs, and the request.
///
///     "57-1c2e9f00a4b3d586-9a01c7de23f45b68"
///      |  |                hash of the request
///      |  hash of the database and of all commits up to the version
///      version
///
/// Another file under the same name, and another history with the same numbers, have other tags.
struct VersionTag: Equatable {
    let version: UInt64
    private let content: String?
    private let request: String?

    init(of snapshot: Snapshot, _ identity: FirnValues.UUID, request: [String] = []) {
        version = snapshot.version.rawValue
        content = VersionTag.hash(["\(identity)", String(snapshot.chain.rawValue)])
        self.request = VersionTag.hash(request)
    }

    /// Reads a tag, or the number of a version.
    ///
    /// - Returns: `nil` for any other text.
    init?(_ text: some StringProtocol) {
        var text = Substring(text)
        // A proxy that compresses makes tags weak.
        if text.hasPrefix("W/") { text = text.dropFirst(2) }
        if text.count >= 2, text.first == "\"", text.last == "\"" {
            text = text.dropFirst().dropLast()
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let first = parts.first, let version = UInt64(first), parts.count <= 3 else {
            return nil
        }
        self.version = version
        content = parts.count > 1 ? String(parts[1]) : nil
        request = parts.count > 2 ? String(parts[2]) : nil
    }

    /// Whether this is the same version of the same database.
    func isVersion(of other: VersionTag) -> Bool {
        version == other.version && (content == nil || content == other.content)
    }

    /// The text for a header.
    var text: String {
        "\"" + [String(version), content, request].compactMap(\.self).joined(separator: "-") + "\""
    }

    private static func hash(_ parts: [String]) -> String {
        var bytes: [UInt8] = []
        for part in parts { bytes += Array(part.utf8) + [0] }
        return String(bytes.withUnsafeBytes { Checksum.xxh64($0, seed: 0) }, radix: 16)
    }
}

extension Call {
    /// Returns the tag of the result of a query, and a database that reads the version of the tag.
    ///
    /// - Returns: `nil` if the result may change although the version does not.
    func taggedVersion(
        of file: ServedFiles.Served, _ format: String
    ) throws(Problem) -> (tag: VersionTag, database: Database)? {
        guard arguments["at"] == nil else { return nil }
        // Functions of the current time give other results of the same version.
        let query = arguments["q"] ?? ""
        guard !query.lowercased().contains("now"), !query.lowercased().contains("today") else {
            return nil
        }
        let request =
            [
                format, query, arguments["class"] ?? "", arguments["timezone"] ?? "",
                arguments["limit"] ?? "",
            ] + arguments.all("parameter")
        return try version(of: file, request: request)
    }

    private func version(
        of file: ServedFiles.Served, request: [String]
    ) throws(Problem) -> (tag: VersionTag, database: Database) {
        do throws(StoreError) {
            let store = try service.files.database(file.path).store
            let snapshot = try store.snapshot()
            return (
                VersionTag(of: snapshot, store.identity, request: request),
                Database(store, reading: snapshot)
            )
        } catch {
            throw Problem(error)
        }
    }

    /// Whether the client has the result of a tag.
    func has(_ tag: VersionTag) -> Bool {
        request.headers[canonicalForm: "If-None-Match"].contains { given in
            given == "*" || VersionTag(given) == tag
        }
    }

    /// Returns the version at which the database must be, or `nil` for any.
    ///
    /// - Throws: ``Problem`` with 412 if the tag is that of another version or another file.
    func requiredVersion() throws(Problem) -> UInt64? {
        let given = request.headers[canonicalForm: "If-Match"]
        guard let first = given.first, first != "*" else { return nil }
        guard given.count == 1, let wanted = VersionTag(first) else {
            throw .parameter(
                "If-Match is \"\(SafeText.excerpt(of: first.utf8))\"",
                remedy: "send the number of a version, or the ETag of a query")
        }
        let file = try file()
        guard wanted.isVersion(of: try version(of: file, request: []).tag) else {
            throw Problem(
                .preconditionFailed, .writeConflict,
                "\(SafeText.escaping(file.name)) is not at version \(wanted.version) any more",
                remedy: "read the newer version, and try again")
        }
        return wanted.version
    }
}
