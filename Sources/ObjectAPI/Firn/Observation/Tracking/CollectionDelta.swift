import FirnValues

/// A change to an ordered collection, together with the previous elements.
///
///     for await case .update(_, let delta) in dogs.deltas() {
///         for deletion in delta.deletions where deletion.reason == .deleted {
///             archive(deletion.element.name)
///         }
///     }
///
/// Deleted and replaced elements can no longer be looked up in the collection. The delta holds them
/// in their previous state. Objects are frozen in the version before this change. While one of them
/// is retained, the file keeps that version.
public struct CollectionDelta<Element> {
    /// An element that is no longer at its position.
    public struct Deletion {
        /// The position in the previous collection.
        public let index: Int
        /// The element in its previous state.
        ///
        /// An object has its key and all other properties.
        public let element: Element
        /// The reason for the removal.
        public let reason: RemovedElement
    }

    /// An element that was added.
    public struct Insertion {
        /// The position in the current collection.
        public let index: Int
        /// The origin of the element.
        public let reason: InsertedElement
    }

    /// An element that remains, and whose observed property changed.
    public struct Modification {
        /// The position in the previous collection.
        public let oldIndex: Int
        /// The position in the current collection.
        public let newIndex: Int
        /// The element in its previous state.
        public let oldElement: Element
    }

    /// The deletions, in ascending order of their positions.
    public let deletions: [Deletion]
    /// The insertions, in ascending order of their positions.
    public let insertions: [Insertion]
    /// The modifications, in ascending order of their positions in the previous collection.
    public let modifications: [Modification]
}

/// The reason why an element is no longer at its position.
public enum RemovedElement: Hashable, Sendable {
    /// The object was deleted.
    case deleted
    /// The element no longer belongs to the collection.
    case left
    /// The element moved to another position.
    ///
    /// It is also among the insertions.
    case moved
}

/// The origin of an element that was added.
public enum InsertedElement: Hashable, Sendable {
    /// The object is new.
    case created
    /// The element did not belong to the collection before.
    case entered
    /// The element moved from another position.
    ///
    /// It is also among the deletions.
    case moved
}

/// A change to an ordered collection, with the previous elements.
public enum DetailedCollectionChange<Collection: RealmCollection> {
    /// The collection at the first notification.
    case initial(Collection)
    /// The collection has changed since the previous notification.
    case update(Collection, CollectionDelta<Collection.Element>)
    /// The database became unreadable.
    ///
    /// No more changes are reported.
    case error(any Error)
}
