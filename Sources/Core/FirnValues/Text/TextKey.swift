/// A string as the key of a dictionary or set: compared and hashed as UTF-8 bytes.
///
/// `Dictionary<String, ...>` takes differently composed letters for the same key; names and values from
/// outside are different if their bytes are.
@frozen
public struct TextKey: Hashable, Sendable {
    /// The string.
    public let text: String

    /// Creates a key from a string.
    @inlinable
    public init(_ text: String) { self.text = text }

    /// Returns whether both strings have the same UTF-8 bytes.
    @inlinable
    public static func == (left: TextKey, right: TextKey) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    /// Hashes the UTF-8 bytes.
    @inlinable
    public func hash(into hasher: inout Hasher) {
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isDone == nil {
            for byte in text.utf8 { hasher.combine(byte) }
        }
        // No key's bytes are the beginning of the bytes that follow it in a composite value.
        hasher.combine(UInt8(0xFF))
    }
}
