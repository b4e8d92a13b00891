import FirnValues

/// A line of `firn observe` as an event of a stream of server-sent events (HTML Standard, 9.2).
///
///     id: the token after the line
///     event: the type of the line
///     data: the line
struct StreamLine: Sendable {
    /// The position after the line; `nil` if a client cannot resume there.
    let token: String?
    let type: String
    /// The version of the line.
    let version: UInt64
    /// The version of the line before it.
    let previous: UInt64?
    /// The version of the token: a row in the middle of a commit has the version of the previous
    /// commit.
    let position: UInt64?
    let bytes: [UInt8]

    /// - Parameter line: A line without its end.
    init(_ line: ArraySlice<UInt8>) {
        let members = StreamLine.head(of: line)
        type = members["type"] ?? (members["op"] == nil ? "message" : "row")
        token = members["token"]
        version = members["version"].flatMap { UInt64($0) } ?? 0
        previous = members["prev"].flatMap { UInt64($0) }
        position = token.flatMap { StreamLine.version(of: $0) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(line.count + 80)
        if let token { bytes += Array("id: \(token)\n".utf8) }
        bytes += Array("event: \(type)\ndata: ".utf8)
        bytes += line
        bytes += [UInt8(ascii: "\n"), UInt8(ascii: "\n")]
        self.bytes = bytes
    }

    /// Returns the event for a client whose last line had a version other than that of the line
    /// before this one; the client learns that nothing is missing in between.
    ///
    /// - Returns: `nil` if the line names that version already, or none.
    func bytes(after sent: UInt64) -> [UInt8]? {
        guard let previous, previous != sent else { return nil }
        var bytes = bytes
        // Texts before these members have escapes instead of quotes.
        bytes.replace(",\"prev\":\(previous),", with: ",\"prev\":\(sent),")
        let count = version - min(previous, version)
        bytes.replace(
            ",\"commits\":\(count),", with: ",\"commits\":\(version - min(sent, version)),")
        return bytes
    }

    /// Returns the version in a token: `o2.VERSION.CHECK.COMMIT`.
    private static func version(of token: String) -> UInt64? {
        token.split(separator: ".").dropFirst().first.flatMap { UInt64($0) }
    }

    /// The members that come first, in any line.
    private static let headNames = [
        "v", "type", "op", "version", "prev", "reason", "requested", "oldest", "initial", "token",
    ]

    /// Returns the members before the first one with other content: a name or a value that looks
    /// like one of these may follow in an object.
    private static func head(of line: ArraySlice<UInt8>) -> TextMap<String> {
        var members: TextMap<String> = [:]
        var rest = line.dropFirst()
        while let name = takeString(&rest), headNames.contains(name), rest.popFirst() == colon {
            let value: String
            if rest.first == quote {
                guard let text = takeString(&rest) else { return members }
                value = text
            } else {
                let word = rest.prefix { $0 != comma && $0 != UInt8(ascii: "}") }
                rest = rest[word.endIndex...]
                value = String(decoding: word, as: UTF8.self)
            }
            members[name] = value
            guard rest.popFirst() == comma else { break }
        }
        return members
    }

    private static let quote = UInt8(ascii: "\"")
    private static let colon = UInt8(ascii: ":")
    private static let comma = UInt8(ascii: ",")

    /// Takes a string without escapes; `nil` if there is none.
    private static func takeString(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard rest.first == quote,
            let end = rest.dropFirst().firstIndex(where: { $0 == quote || $0 == UInt8(ascii: "\\") }
            ),
            rest[end] == quote
        else { return nil }
        defer { rest = rest[(end + 1)...] }
        return String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
    }
}

extension [UInt8] {
    /// Replaces the first occurrence of a text.
    fileprivate mutating func replace(_ text: String, with other: String) {
        guard let range = firstRange(of: Array(text.utf8)) else { return }
        replaceSubrange(range, with: Array(other.utf8))
    }
}
