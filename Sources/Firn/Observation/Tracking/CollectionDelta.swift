/// How an ordered collection changed, together with the elements as they were.
///
///     for await case .update(_, let delta) in dogs.deltas() {
///         for deletion in delta.deletions where deletion.reason == .deleted {
///             archive(deletion.element.name)
///         }
///     }
///
/// What was deleted or replaced cannot be looked up any more: here it is, as it was before. Objects are
/// frozen, in the version that was told before this one; as long as one of them is held, so is that
/// version in the file.
public struct CollectionDelta<Element> {
    /// An element that is not at its position any more.
    public struct Deletion {
        /// Its position in the collection as it was.
        public let index: Int
        /// The element as it was; an object has its key and all else that it had.
        public let element: Element
        /// What became of it.
        public let reason: RemovedElement
    }

    /// An element that was not there.
    public struct Insertion {
        /// Its position in the collection as it is.
        public let index: Int
        /// Where it comes from.
        public let reason: InsertedElement
    }

    /// An element that stays, and of which something changed that is observed.
    public struct Modification {
        /// Its position in the collection as it was.
        public let oldIndex: Int
        /// Its position in the collection as it is.
        public let newIndex: Int
        /// The element as it was.
        public let oldElement: Element
    }

    /// Ascending by their positions.
    public let deletions: [Deletion]
    /// Ascending by their positions.
    public let insertions: [Insertion]
    /// Ascending by their positions in the collection as it was.
    public let modifications: [Modification]
}

/// What became of an element that is not at its position any more.
public enum RemovedElement: Hashable, Sendable {
    /// There is no such object any more.
    case deleted
    /// It does not belong to the collection any more.
    case left
    /// It has another position; it is among the insertions.
    case moved
}

/// Where an element comes from that was not there.
public enum InsertedElement: Hashable, Sendable {
    /// The object is new.
    case created
    /// It did not belong to the collection before.
    case entered
    /// It had another position; it is among the deletions.
    case moved
}

/// How an ordered collection is, and then how it changes.
public enum DetailedCollectionChange<Collection: RealmCollection> {
    /// The collection as it is when it is told of first.
    case initial(Collection)
    /// The collection is another than when it was told of last.
    case update(Collection, CollectionDelta<Collection.Element>)
    /// The database cannot be read any more; nothing more is told.
    case error(any Error)
}
