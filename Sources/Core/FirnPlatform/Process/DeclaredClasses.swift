import CPlatform

/// The classes declared by the program.
package enum DeclaredClasses {
    /// All non-generic classes that are linked into this program, in no order.
    ///
    /// Local and private classes are included. Classes of dynamic libraries are not.
    ///
    /// - Complexity: O(types of the program)
    package static var all: [AnyClass] {
        (0..<firn_type_count()).compactMap { index in
            guard let metadata = firn_class_metadata(index) else { return nil }
            return unsafeBitCast(metadata, to: Any.Type.self) as? AnyClass
        }
    }
}
