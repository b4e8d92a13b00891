import FirnEngine
import FirnQuery
import FirnValues

/// A stored collection that can be changed.
///
/// The count and single elements are read without the other elements. Values that were read are
/// cached while the realm stays at its epoch. They are released before a change, which would
/// otherwise copy them.
class EditableCore: _CollectionCore {
    /// The epoch of the caches below, or 0 if nothing is cached.
    private var epoch: UInt64 = 0
    private var knownCount: Int?
    private var view: CollectionView?
    /// A range of adjacent elements, the first of which is at ``windowStart``.
    private var window: [Value] = []
    private var windowStart = 0
    private static let windowLength = 64

    /// Returns the collection that the realm shows, or `nil` if it is gone.
    func findView() throws(StoreError) -> CollectionView? {
        misuse("a collection that cannot be read")
    }

    /// Makes one change.
    func apply(
        _ edit: CollectionEdit, _ transaction: WriteTransaction
    ) throws(StoreError) {
        misuse("a collection that cannot be changed")
    }

    /// Replaces all elements of the collection.
    func replaceAll(
        with value: Value, _ transaction: WriteTransaction
    ) throws(StoreError) {
        misuse("a collection that cannot be changed")
    }

    /// Whether elements may be objects, which must be added first.
    var mayLink: Bool { true }

    /// Returns whether both represent the same collection of the same version.
    func isSame(as other: EditableCore) -> Bool { self === other }

    override final func isSame(as other: _CollectionCore) -> Bool {
        (other as? EditableCore).map { isSame(as: $0) } ?? false
    }

    /// Stops the program because the owner of the collection no longer exists.
    final func gone() -> Never {
        misuse(
            "the \(name) is gone: its object was deleted, or the realm was invalidated; ask "
                + "isInvalidated before")
    }

    /// Returns the reference with which the value of a key is decoded.
    func reference(forKey key: String) -> _RealmReference { _RealmReference(instance) }

    // MARK: Reading

    /// Reads part of the collection.
    final func reading<Result>(
        _ body: (CollectionView) throws(StoreError) -> Result
    ) -> Result {
        instance.reading("reading a \(name)", try body(viewHere()))
    }

    private final func viewHere() throws(StoreError) -> CollectionView {
        forgetIfOld()
        if let view { return view }
        guard let view = try findView() else { gone() }
        self.view = view
        return view
    }

    private final func forgetIfOld() {
        guard epoch != instance.epoch else { return }
        if isStale { gone() }
        forget()
        epoch = instance.epoch
    }

    override func forget() {
        super.forget()
        knownCount = nil
        view = nil
        window = []
    }

    override var count: Int {
        instance.reading("counting a \(name)", try countHere())
    }

    private final func countHere() throws(StoreError) -> Int {
        forgetIfOld()
        if let knownCount { return knownCount }
        // The view is not kept. Otherwise a loop that reads the count after each change would make
        // each change copy the elements.
        let found: CollectionView?
        if let view { found = view } else { found = try findView() }
        guard let found else { gone() }
        knownCount = found.count
        return found.count
    }

    override func stored(_ index: Int) -> _StoredValue {
        instance.reading("reading a \(name)", _StoredValue(try storedHere(index)))
    }

    private final func storedHere(_ index: Int) throws(StoreError) -> Value {
        forgetIfOld()
        if index >= windowStart, index - windowStart < window.count {
            return window[index - windowStart]
        }
        let view = try viewHere()
        let count = view.count
        guard index >= 0, index < count else { outOfBounds(index, count) }
        if view.inlineValue != nil {
            windowStart = 0
            window = try view.elements(in: 0..<count)
        } else {
            windowStart = index - index % EditableCore.windowLength
            let end = min(windowStart + EditableCore.windowLength, count)
            window = try view.elements(in: windowStart..<end)
        }
        return window[index - windowStart]
    }

    override func load() throws(StoreError) -> CollectionContent {
        let view = try viewHere()
        let values = try view.elements(in: 0..<view.count)
        guard elementClass != nil else { return .values(values) }
        return .objects(ObjectRows(targetsOf: values))
    }

    // MARK: Changing

    /// Changes the collection in the open transaction.
    final func edit(_ change: CollectionEdit) {
        changing { transaction, _ throws(StoreError) in try apply(change, transaction) }
    }

    /// Changes the collection with an element, which is added to the realm first if necessary.
    final func edit(
        with element: some RealmCollectionValue, _ change: (Value) -> CollectionEdit
    ) {
        changing { transaction, links throws(StoreError) in
            try apply(change(links.encoded(element)), transaction)
        }
    }

    /// Changes the collection with several elements.
    ///
    /// - Parameter change: Returns the change for an element and its position among the elements.
    final func edit<Element: RealmCollectionValue>(
        with elements: [Element], _ change: (Int, Value) -> CollectionEdit
    ) {
        guard !elements.isEmpty else { return }
        changing { transaction, links throws(StoreError) in
            for (index, element) in elements.enumerated() {
                try apply(change(index, links.encoded(element)), transaction)
            }
        }
    }

    /// Makes several changes in one step.
    final func changing(
        _ body: (WriteTransaction, _LinkEncoder) throws(StoreError) -> Void
    ) {
        if isStale { gone() }
        forget()
        instance.change("change \(name)") { transaction throws(StoreError) in
            do throws(StoreError) {
                guard mayLink else { return try body(transaction, .refusing) }
                try instance.adding(transaction, copiesForeignObjects: true) {
                    adding throws(StoreError) in try body(transaction, _LinkEncoder(adding))
                }
            } catch {
                if error.code == .unknownObject, try !findIsValid() { gone() }
                throw error
            }
        }
    }
}
