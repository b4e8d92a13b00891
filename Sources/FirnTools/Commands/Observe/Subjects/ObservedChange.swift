import FirnEngine
import FirnValues

/// What some commits did to what is observed, class by class.
struct ObservedChange {
    /// An object that is not shown any more.
    struct Deletion {
        let row: RowID
        /// Where it was; only a query has positions.
        var index: Int?
        /// Whether the object is gone, and not only out of the result.
        let isGone: Bool
        /// Whether it is shown at another position instead.
        var isMoved = false
    }

    /// An object that is shown now.
    struct Insertion {
        let row: RowID
        var index: Int?
        /// Whether the object is new, and not only in the result now.
        let isNew: Bool
        var isMoved = false
    }

    /// An object that is shown as before, with other content.
    struct Modification {
        let row: RowID
        /// Where it was, and where it is.
        var indices: (from: Int, to: Int)?
        let properties: PropertySet
    }

    /// What happened to the objects of one class; each array in the order of the positions.
    struct Part {
        let shape: ObjectShape
        var deletions: [Deletion] = []
        var insertions: [Insertion] = []
        var modifications: [Modification] = []

        /// How many objects something happened to, those that moved twice.
        var count: Int { deletions.count + insertions.count + modifications.count }

        var isEmpty: Bool { count == 0 }
    }

    /// None is empty.
    private(set) var parts: [Part]

    init(_ parts: [Part]) { self.parts = parts.filter { !$0.isEmpty } }

    var isEmpty: Bool { parts.isEmpty }

    /// What is left of it for whoever asked for some operations only.
    ///
    /// An object that moved was updated, whatever lists of positions say.
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
