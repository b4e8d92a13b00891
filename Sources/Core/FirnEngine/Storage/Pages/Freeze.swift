import FirnCodec
package import FirnValues

/// A version with a name, which stays readable until it is dropped or expires.
package struct Freeze: Hashable, Sendable {
    /// The name, in 1 to 255 bytes of UTF-8 without control characters and `/`.
    ///
    /// It is not a number and does not begin with `@` or `-`.
    package let name: String
    package let version: LSN
    /// Seconds since 1970.
    package let createdSeconds: Int64
    /// The expiry in seconds since 1970; `nil` if the freeze never expires.
    package let expiresSeconds: Int64?
    /// The note, which may be empty.
    package let note: String

    package init(
        name: String, version: LSN, createdSeconds: Int64, expiresSeconds: Int64?, note: String
    ) {
        self.name = name
        self.version = version
        self.createdSeconds = createdSeconds
        self.expiresSeconds = expiresSeconds
        self.note = note
    }

    /// The maximum number of freezes of a database.
    package static let countMaximum = 10_000
    package static let nameByteCountMaximum = 255
    package static let noteByteCountMaximum = 4096

    /// Returns the end of a sentence that begins with an invalid name, or `nil` if the name is
    /// valid.
    package static func problem(withName name: String) -> String? {
        let scalars = name.unicodeScalars
        guard let first = scalars.first else { return "is empty" }
        guard name.utf8.count <= nameByteCountMaximum else {
            return "is longer than \(nameByteCountMaximum) bytes"
        }
        if first == "@" || first == "-" { return "begins with \(first)" }
        if scalars.contains("/") { return "has a slash" }
        if scalars.contains(where: { $0.properties.generalCategory == .control }) {
            return "has a control character"
        }
        if scalars.allSatisfy({ ("0"..."9").contains($0) }) { return "is a number" }
        return nil
    }

    /// Whether the freeze no longer counts.
    package func isExpired(at seconds: Int64) -> Bool {
        expiresSeconds.map { $0 <= seconds } ?? false
    }
}

/// A reference to a version in the form that users write.
package enum VersionReference: Hashable, Sendable {
    /// The newest version.
    case head
    case number(LSN)
    /// The version of a freeze; without a freeze of that name, a point in time in ISO 8601, as for
    /// ``time(_:)``.
    case freeze(String)
    /// The newest version that was committed at or before a time.
    case time(Timestamp)
    /// The newest version that was committed at least this number of nanoseconds ago.
    case ago(nanoseconds: UInt64)
    /// `@-N`: the version N commits before the newest.
    case back(UInt64)
}

/// The encoding of a freeze: name, version, creation, whether it expires and when, note.
extension Freeze {
    func writeFields(to writer: inout ByteWriter) {
        writer.string(name)
        writer.varint(version.rawValue)
        writer.zigzag(createdSeconds)
        writer.u8(expiresSeconds == nil ? 0 : 1)
        if let expiresSeconds { writer.zigzag(expiresSeconds) }
        writer.string(note)
    }

    init(fieldsFrom reader: inout ByteReader) throws(CodecError) {
        let name = try reader.string()
        let version = LSN(try reader.varint())
        let created = try reader.zigzag()
        let expires: Int64?
        switch try reader.u8() {
        case 0: expires = nil
        case 1: expires = try reader.zigzag()
        default: throw CodecError(.corrupt, "unknown form of a freeze", at: reader.offset - 1)
        }
        self.init(
            name: name, version: version, createdSeconds: created, expiresSeconds: expires,
            note: try reader.string())
    }
}

extension StoreError {
    /// Returns the error for a name without a freeze.
    static func freezeMissing(_ name: String, path: String) -> StoreError {
        StoreError(.freezeMissing, path: path, detail: "there is no freeze named \"\(name)\"")
    }

    /// Returns the error for an expired freeze.
    static func freezeExpired(_ freeze: Freeze, path: String) -> StoreError {
        StoreError(
            .freezeMissing, path: path, detail: "the freeze named \"\(freeze.name)\" has expired")
    }
}
