import FirnText
import FirnValues

/// The names in a JSON object that are not data, although other programs use them for their own
/// data.
///
///     "$id":17          the number of an object without a key
///     "$class":"Dog"    the class of a record
///
/// A member with one of these names but another value is data, as is a member that the class has a
/// property for. After a schema, every text of `$class` names the class.
package enum ReservedName {
    package static let id = "$id"
    package static let className = "$class"

    /// Whether an object of a class needs a schema before it to be read back.
    package static func isUsed(in names: some Sequence<String>) -> Bool {
        names.contains { $0 == id || $0 == className }
    }

    /// Returns whether a member is not data.
    ///
    /// - Parameter namesAnyClass: whether every text of `$class` names the class.
    static func isReserved(_ member: JSONTree.Member, namesAnyClass: Bool = false) -> Bool {
        switch (member.name, member.value.content) {
        case (id, .number(let text)): UInt64(text) != nil
        case (className, .string(let text)): namesAnyClass || isClassName(text.utf8)
        default: false
        }
    }

    /// Returns whether a text can be the name of a class, unlike class names of other programs:
    /// `Dog`, but not `org.acme.Dog`.
    package static func isClassName(_ text: some Collection<UInt8>) -> Bool {
        guard let first = text.first, !isDigit(first) else { return false }
        return text.allSatisfy { byte in
            isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
                || byte >= 0x80
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
