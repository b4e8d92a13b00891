import FirnValues

/// The names of classes that are taken while others are derived from names of properties.
package struct ClassNames {
    private var taken: TextSet

    package init(_ taken: some Sequence<String>) { self.taken = TextSet(taken) }

    /// Returns a name like the given one that no other class has.
    package mutating func take(_ name: String) -> String {
        let name = OutsideName.valid(name)
        return taken.insertNumbered(name) { "\(name)\($0)" }
    }
}
