import FirnCodec
import FirnValues

/// The type names that `@type` returns.
enum TypeNameVectors {
    /// Returns the type name of each value.
    ///
    /// - Parameter isLink: whether integers are the row ids of links.
    static func of(_ values: ColumnVector, isLink: Bool) -> ColumnVector {
        var names = ColumnVector(kind: .string)
        for row in 0..<values.count {
            let tag = values.value(at: row).tag
            names.append(.string((isLink && tag == .int ? ValueTag.link : tag).name))
        }
        return names
    }
}
