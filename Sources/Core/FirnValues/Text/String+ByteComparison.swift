// Swift compares strings by canonical equivalence: "é" as one code point equals "e" with a combining
// accent. Names and values of a database are different if their bytes are. The overloads of this file
// take precedence over the standard library's in every file that imports FirnValues; .ci/checks/tidy checks
// that a file that compares imports it, and that no dictionary or set has strings as keys.

extension String {
    /// Returns whether both strings have the same UTF-8 bytes.
    @inlinable
    package static func == (left: String, right: String) -> Bool {
        left.hasSameBytes(as: right)
    }

    /// Returns whether the strings differ in their UTF-8 bytes.
    @inlinable
    package static func != (left: String, right: String) -> Bool {
        !left.hasSameBytes(as: right)
    }

    /// Returns whether a value has the same bytes as a pattern of a `switch`.
    @inlinable
    package static func ~= (pattern: String, value: String) -> Bool {
        pattern.hasSameBytes(as: value)
    }

    /// Returns whether the left string comes first in the order of code points.
    @inlinable
    package static func < (left: String, right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    /// Returns whether the left string comes last in the order of code points.
    @inlinable
    package static func > (left: String, right: String) -> Bool { right < left }

    /// Returns whether the left string does not come last in the order of code points.
    @inlinable
    package static func <= (left: String, right: String) -> Bool { !(right < left) }

    /// Returns whether the left string does not come first in the order of code points.
    @inlinable
    package static func >= (left: String, right: String) -> Bool { !(left < right) }

    /// Returns whether the string begins with the bytes of a prefix.
    @inlinable
    package func hasPrefix(_ prefix: String) -> Bool {
        utf8.starts(with: prefix.utf8)
    }

    /// Returns whether the string ends with the bytes of a suffix.
    @inlinable
    package func hasSuffix(_ suffix: String) -> Bool {
        utf8.count >= suffix.utf8.count
            && utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }

    /// Returns whether both strings have the same UTF-8 bytes.
    ///
    /// - Complexity: O(n); O(1) if the lengths differ.
    @inlinable
    public func hasSameBytes(as other: String) -> Bool {
        let count = utf8.count
        guard count == other.utf8.count else { return false }
        let isSame = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in
                var difference: UInt8 = 0
                // Without a branch, so that the compiler can vectorize the loop.
                for index in 0..<count { difference |= left[index] ^ right[index] }
                return difference == 0
            }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}

extension String? {
    /// Returns whether both strings are nil or have the same UTF-8 bytes.
    @inlinable
    package static func == (left: String?, right: String?) -> Bool {
        switch (left, right) {
        case (let left?, let right?): left.hasSameBytes(as: right)
        case (nil, nil): true
        default: false
        }
    }

    /// Returns whether exactly one string is nil, or the UTF-8 bytes differ.
    @inlinable
    package static func != (left: String?, right: String?) -> Bool { !(left == right) }
}

extension [String] {
    /// Returns whether both arrays contain strings with the same UTF-8 bytes in the same order.
    @inlinable
    package static func == (left: [String], right: [String]) -> Bool {
        left.elementsEqual(right) { $0.hasSameBytes(as: $1) }
    }

    /// Returns whether the arrays differ in a string's UTF-8 bytes or in their order.
    @inlinable
    package static func != (left: [String], right: [String]) -> Bool { !(left == right) }

    /// Sorts the strings in the order of code points.
    @inlinable
    package mutating func sort() { sort { $0 < $1 } }
}

extension [String?] {
    /// Returns whether both arrays have the same UTF-8 bytes, and nil at the same positions.
    @inlinable
    package static func == (left: [String?], right: [String?]) -> Bool {
        left.elementsEqual(right) { $0 == $1 }
    }

    /// Returns whether the arrays differ in a string's UTF-8 bytes, in nil, or in their order.
    @inlinable
    package static func != (left: [String?], right: [String?]) -> Bool { !(left == right) }
}

extension Sequence<String> {
    /// Returns whether a string has the UTF-8 bytes of an element.
    @inlinable
    package func contains(_ element: String) -> Bool {
        contains { $0.hasSameBytes(as: element) }
    }

    /// Returns the strings in the order of code points.
    @inlinable
    package func sorted() -> [String] { sorted { $0 < $1 } }
}

extension Collection<String> {
    /// Returns the position of the first string with the UTF-8 bytes of an element.
    @inlinable
    package func firstIndex(of element: String) -> Index? {
        firstIndex { $0.hasSameBytes(as: element) }
    }
}
