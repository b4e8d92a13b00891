#if !canImport(Darwin)
public import Foundation

/// The names that UIKit and AppKit give to the parts of an index path.
///
/// Programs import this module where neither exists. On Apple's platforms it is empty.
extension IndexPath {
    /// Creates the index path of an element of a section.
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

    /// Creates the index path of an element of a section.
    public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

    /// The position of the section.
    ///
    /// The program stops if the path is empty.
    public var section: Int { part(0, "section") }

    /// The position of the element within its section.
    ///
    /// The program stops if the path has fewer than two parts.
    public var item: Int { part(1, "item") }

    /// The position of the element within its section.
    ///
    /// The program stops if the path has fewer than two parts.
    public var row: Int { part(1, "row") }

    private func part(_ position: Int, _ name: String) -> Int {
        guard let part = dropFirst(position).first else {
            fatalError("an index path with \(count) parts has no \(name)")
        }
        return part
    }
}
#endif
