import FirnValues

extension StringCollector {
    /// Returns whether all values are valid for a column of a kind.
    ///
    /// - Parameter nulls: the null rows, which have no bytes.
    func areValid(_ kind: ValueTag, _ nulls: NullBits) -> Bool {
        if kind == .string { return isValidText }
        if kind == .data { return true }
        if isInterned {
            return Self.areValid(kind, interner.bytes, starts: interner.offsets) { _ in false }
        }
        return Self.areValid(kind, bytes, starts: [0] + ends) { nulls[$0] }
    }

    private static func areValid(
        _ kind: ValueTag, _ bytes: [UInt8], starts: [UInt32], isNull: (Int) -> Bool
    ) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            (0..<starts.count - 1).allSatisfy { index in
                let value = bytes[Int(starts[index])..<Int(starts[index + 1])]
                return isNull(index)
                    || Value.isValid(columnBytes: UnsafeBufferPointer(rebasing: value), kind: kind)
            }
        }
    }

    /// Whether each string is valid UTF-8.
    private var isValidText: Bool {
        isInterned
            ? Self.isValid(interner.bytes, starts: interner.offsets)
            : Self.isValid(bytes, starts: ends)
    }

    private static func isValid(_ bytes: [UInt8], starts: [UInt32]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            UTF8Validation.verdict(on: bytes, stringCount: starts.count) { Int(starts[$0]) }
                == .valid
        }
    }
}
