import FirnValues

/// The names of one object with many names.
struct NameSet {
    /// The index of the first fingerprint of the object, which distinguishes the open objects.
    let firstName: Int
    var names: TextSet
}

extension JSONReader {
    /// Up to this number, names are compared pairwise.
    private static let namesComparedMax = 24

    /// Reads a name, starting at its quote, and records its fingerprint.
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

    /// Returns whether an object already has the last name.
    ///
    /// - Parameter firstName: the index of the first fingerprint of the object.
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
        return isCandidate && members.contains { $0.name == name }
    }

    /// Checks the names of a large object with a set, so that each check takes constant time.
    private mutating func isRepeatedAmongMany(
        _ name: String, _ members: [JSONTree.Member], firstName: Int
    ) -> Bool {
        if let last = nameSets.last, last.firstName == firstName {
            return !nameSets[nameSets.count - 1].names.insert(name).inserted
        }
        var names = TextSet(members.map(\.name))
        let isNew = names.insert(name).inserted
        nameSets.append(NameSet(firstName: firstName, names: names))
        return !isNew
    }

    /// Discards the recorded names at the end of an object.
    @inline(__always)
    mutating func forgetNames(from firstName: Int) {
        nameCount = firstName
        if let last = nameSets.last, last.firstName == firstName { nameSets.removeLast() }
    }

    /// Returns a hash of a name: the bytes of a short name, otherwise its ends and its length.
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
