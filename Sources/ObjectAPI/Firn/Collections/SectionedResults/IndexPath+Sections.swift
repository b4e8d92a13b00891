#if !canImport(Darwin)
import FirnValues
public import Foundation

/// The names that Apple's frameworks give to the parts of an index path.
extension IndexPath {
    /// Creates the index path of an element of a section.
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

    /// Creates the index path of an element of a section.
    public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

    /// The position of the section.
    public var section: Int { part(0, "section") }

    /// The position of the element within its section.
    public var item: Int { part(1, "item") }

    /// The position of the element within its section.
    public var row: Int { part(1, "row") }

    private func part(_ position: Int, _ name: String) -> Int {
        guard position < count else { misuse("an index path with \(count) parts has no \(name)") }
        return self[position]
    }
}
#endif
