import CPlatform

/// The classes that the program declares.
package enum DeclaredClasses {
    /// All classes without type parameters that are linked into this program, local and private
    /// ones included, in no order.
    ///
    /// Classes of dynamic libraries are not among them.
    ///
    /// - Complexity: O(types of the program)
    package static var all: [AnyClass] {
        (0..<firn_type_count()).compactMap { index in
            guard let metadata = firn_class_metadata(index) else { return nil }
            return unsafeBitCast(metadata, to: Any.Type.self) as? AnyClass
        }
    }
}
