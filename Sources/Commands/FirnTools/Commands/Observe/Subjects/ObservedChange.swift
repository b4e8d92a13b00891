import ArgumentParser
import FirnEngine
import FirnValues

/// The changes of some commits to the observed objects, by class.
struct ObservedChange {
    /// An object that is no longer shown.
    struct Deletion {
        let row: RowID
        /// The old position; only a query has positions.
        var index: Int?
        /// Whether the object was deleted, rather than only removed from the result.
        let isGone: Bool
        /// Whether the object is shown at another position instead.
        var isMoved = false
    }

    /// An object that is now shown.
    struct Insertion {
        let row: RowID
        var index: Int?
        /// Whether the object is new, rather than only new in the result.
        let isNew: Bool
        var isMoved = false
    }

    /// An object that is still shown, with different contents.
    struct Modification {
        let row: RowID
        /// The old and the new position.
        var indices: (from: Int, to: Int)?
        let properties: PropertySet
    }

    /// The changes to the objects of one class; each array is in the order of the positions.
    struct Part {
        let shape: ObjectShape
        /// The rows before and after the change, if they are not objects.
        var values: (old: NumberedRows, new: NumberedRows)?
        var deletions: [Deletion] = []
        var insertions: [Insertion] = []
        var modifications: [Modification] = []

        /// The number of changed objects; moved objects count twice.
        var count: Int { deletions.count + insertions.count + modifications.count }

        var isEmpty: Bool { count == 0 }
    }

    /// The parts, none of which is empty.
    private(set) var parts: [Part]

    init(_ parts: [Part]) { self.parts = parts.filter { !$0.isEmpty } }

    var isEmpty: Bool { parts.isEmpty }

    /// Returns the changes that belong to some operations.
    ///
    /// A moved object counts as updated, although it is deleted and inserted in lists of positions.
    func limited(to operations: StreamOperations) -> ObservedChange {
        guard operations != .all else { return self }
        func keeps(_ operation: StreamOperations, isMoved: Bool) -> Bool {
            operations.contains(isMoved ? .update : operation)
        }
        return ObservedChange(
            parts.map { part in
                var part = part
                part.deletions.removeAll { !keeps(.delete, isMoved: $0.isMoved) }
                part.insertions.removeAll { !keeps(.insert, isMoved: $0.isMoved) }
                if !operations.contains(.update) { part.modifications.removeAll() }
                return part
            })
    }
}

/// A set of the operations insert, update and delete.
struct StreamOperations: ExpressibleByArgument, OptionSet, Hashable {
    let rawValue: UInt8

    static let insert = StreamOperations(rawValue: 1)
    static let update = StreamOperations(rawValue: 2)
    static let delete = StreamOperations(rawValue: 4)
    static let all: StreamOperations = [.insert, .update, .delete]

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init?(argument: String) {
        var operations: StreamOperations = []
        for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
            switch word {
            case "insert": operations.insert(.insert)
            case "update": operations.insert(.update)
            case "delete": operations.insert(.delete)
            default: return nil
            }
        }
        self = operations
    }

    var defaultValueDescription: String { "insert,update,delete" }
}
