import FirnPlatform
import FirnValues

/// The time zones of the system, by their IANA names.
package enum ZoneDatabase {
    private static let folder = "/usr/share/zoneinfo/"
    private static let fileSizeMax = 1 << 20
    private static let known = Guarded<TextMap<ZoneRules>>(["UTC": .utc])

    /// Returns a zone; `nil` if the system does not have it.
    ///
    /// A fixed offset such as `+02:00` is a zone as well.
    package static func zone(named name: String) -> ZoneRules? {
        if let zone = known.withLock({ $0[name] }) { return zone }
        guard let zone = fixed(name) ?? ZoneDatabase.load(name) else { return nil }
        known.withLock { $0[name] = zone }
        return zone
    }

    /// Returns the names of zones that are similar to a name.
    package static func names(near name: String) -> [String] {
        guard let bytes = read("tzdata.zi") ?? read("zone.tab") else {
            return []
        }
        var names: [String] = []
        for line in bytes.split(separator: 10) {
            let isTable = line.contains(9)
            let fields = line.split(separator: isTable ? 9 : 32)
            guard fields.count >= 3, isTable || line.first == UInt8(ascii: "L") else {
                if !isTable, line.first == UInt8(ascii: "Z"), fields.count >= 2 {
                    names.append(String(decoding: fields[1], as: UTF8.self))
                }
                continue
            }
            names.append(String(decoding: fields[2], as: UTF8.self))
        }
        return NearestNames.find(name, among: names)
    }

    private static func load(_ name: String) -> ZoneRules? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.count < 64
                && part.utf8.allSatisfy { byte in
                    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
                        || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
                        || byte == UInt8(ascii: "+")
                }
        }
        guard isPlain, parts.count <= 4, let bytes = read(name) else { return nil }
        return ZoneRules(file: bytes)
    }

    /// Returns the content of a file; `nil` if it cannot be read.
    private static func read(_ name: String) -> [UInt8]? {
        guard let file = try? SystemFileSystem().open(folder + name, .readOnly) else { return nil }
        var bytes = [UInt8](repeating: 0, count: fileSizeMax)
        let count = try? bytes.withUnsafeMutableBytes { buffer throws(PlatformError) in
            try file.read(at: 0, into: buffer)
        }
        return count.map { Array(bytes.prefix($0)) }
    }

    /// Parses `+02:00`.
    private static func fixed(_ name: String) -> ZoneRules? {
        let bytes = Array(name.utf8)
        guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"),
            bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-")
        else { return nil }
        var digits: [Int64] = []
        for index in [1, 2, 4, 5] {
            guard bytes[index] &- UInt8(ascii: "0") < 10 else { return nil }
            digits.append(Int64(bytes[index] - UInt8(ascii: "0")))
        }
        let minutes = digits[2] * 10 + digits[3]
        guard minutes < 60 else { return nil }
        let seconds = (digits[0] * 10 + digits[1]) * 3_600 + minutes * 60
        return ZoneRules(fixedOffset: bytes[0] == UInt8(ascii: "-") ? -seconds : seconds)
    }
}
