/// The names of one object that has very many of them.
struct NameSet {
    /// The place of the first fingerprint of the object, which tells the open objects apart.
    let firstName: Int
    var names: Set<NameBytes>
}

/// A name that equals another one only if it has the same bytes: for String, composed letters equal
/// decomposed ones.
struct NameBytes: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: NameBytes, right: NameBytes) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension JSONReader {
    /// Up to so many names are compared each with each.
    private static let namesComparedMax = 24

    /// At a quote: reads a name, and notes its fingerprint.
    @inline(__always)
    mutating func readName() throws(InputError) -> String {
        let text = try readText()
        let fingerprint = JSONReader.fingerprint(text)
        if nameCount < fingerprints.count {
            fingerprints[nameCount] = fingerprint
        } else {
            fingerprints.append(fingerprint)
        }
        nameCount &+= 1
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether an object has the name that was read last already.
    ///
    /// - Parameter firstName: the place of the first fingerprint of the object.
    @inline(__always)
    mutating func isRepeated(
        _ name: String, in members: [JSONTree.Member], firstName: Int
    ) -> Bool {
        guard members.count <= JSONReader.namesComparedMax else {
            return isRepeatedAmongMany(name, members, firstName: firstName)
        }
        let last = firstName &+ members.count
        let isCandidate = fingerprints.withUnsafeBufferPointer { all in
            var found = false
            for index in firstName..<last { found = found || all[index] == all[last] }
            return found
        }
        // Different names can have the same fingerprint.
        return isCandidate && members.contains { $0.name.utf8.elementsEqual(name.utf8) }
    }

    /// The names of a large object are kept in a set, so that one more costs no more.
    private mutating func isRepeatedAmongMany(
        _ name: String, _ members: [JSONTree.Member], firstName: Int
    ) -> Bool {
        if let last = nameSets.last, last.firstName == firstName {
            return !nameSets[nameSets.count - 1].names.insert(NameBytes(name)).inserted
        }
        var names = Set(members.map { NameBytes($0.name) })
        let isNew = names.insert(NameBytes(name)).inserted
        nameSets.append(NameSet(firstName: firstName, names: names))
        return !isNew
    }

    /// At the end of an object: what was noted of its names counts no more.
    @inline(__always)
    mutating func forgetNames(from firstName: Int) {
        nameCount = firstName
        if let last = nameSets.last, last.firstName == firstName { nameSets.removeLast() }
    }

    /// Different for most different names: the bytes of a short one, else the ends and the length.
    @inline(__always)
    private static func fingerprint(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let count = text.count
        guard count >= 8, let base = text.baseAddress else {
            var number = UInt64(truncatingIfNeeded: count)
            for byte in text { number = number << 8 | UInt64(byte) }
            return number
        }
        let raw = UnsafeRawPointer(base)
        let head = raw.loadUnaligned(as: UInt64.self)
        let tail = raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        return head &* 0x9E37_79B9_7F4A_7C15 ^ tail &+ UInt64(truncatingIfNeeded: count)
    }
}
