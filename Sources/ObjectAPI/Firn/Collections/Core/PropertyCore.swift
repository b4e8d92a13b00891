import FirnEngine
import FirnQuery
import FirnValues

/// The list, set or map in a property of a managed object.
final class PropertyCore: EditableCore {
    let owner: ClassBinding
    let row: RowID
    let propertyIndex: Int

    init(_ instance: RealmInstance, _ owner: ClassBinding, _ row: RowID, _ propertyIndex: Int) {
        self.owner = owner
        self.row = row
        self.propertyIndex = propertyIndex
        super.init(instance)
    }

    /// Creates the core of a property of a managed object.
    convenience init(_ object: ObjectBase, _ propertyIndex: Int) {
        guard let access = object.access else { misuse("an unmanaged object has no row") }
        self.init(access.instance, access.binding, access.row, propertyIndex)
    }

    var property: PropertySchema { owner.columns[propertyIndex] }

    override var elementClass: ClassSchema? {
        property.type.target.flatMap { instance.snapshot.schema[$0] }
    }

    override var mayLink: Bool {
        let base = property.type.base
        return base == .link || base == .any
    }

    override var name: String { "\(owner.layout.className).\(property.name)" }

    override func findIsValid() throws(StoreError) -> Bool {
        guard !isStale else { return false }
        return try instance.exists(row, owner)
    }

    override func moved(to instance: RealmInstance) -> _CollectionCore {
        PropertyCore(instance, instance.binding(like: owner), row, propertyIndex)
    }

    override func reference(at index: Int) -> _RealmReference {
        property.type.base == .any && property.type.container == .list
            ? _RealmReference(instance, NestedLocation(owner, row, propertyIndex, [.index(index)]))
            : _RealmReference(instance)
    }

    override func reference(forKey key: String) -> _RealmReference {
        property.type.base == .any
            ? _RealmReference(instance, NestedLocation(owner, row, propertyIndex, [.key(key)]))
            : _RealmReference(instance)
    }

    override func findView() throws(StoreError) -> CollectionView? {
        try instance.collection(propertyIndex, of: row, owner)
    }

    override func apply(
        _ edit: CollectionEdit, _ transaction: WriteTransaction
    ) throws(StoreError) {
        try transaction.edit(property.id, of: row, in: owner.schema.id, edit)
    }

    override func replaceAll(
        with value: Value, _ transaction: WriteTransaction
    ) throws(StoreError) {
        try transaction.set(property.id, of: row, in: owner.schema.id, to: value)
    }

    override func isSame(as other: EditableCore) -> Bool {
        guard let other = other as? PropertyCore else { return false }
        return instance === other.instance && row == other.row
            && propertyIndex == other.propertyIndex
            && owner.schema.id == other.owner.schema.id
    }
}

extension RealmInstance {
    /// Returns the list, set or map of a row, or `nil` if the object does not exist.
    func collection(
        _ propertyIndex: Int, of row: RowID, _ binding: ClassBinding
    ) throws(StoreError) -> CollectionView? {
        if let transaction = changingTransaction {
            guard try transaction.exists(row, in: binding.schema.id) else { return nil }
            return try transaction.collection(
                of: binding.columns[propertyIndex], of: row, in: binding.schema)
        }
        return try currentSnapshot().snapshot.table(binding.schema.id)?
            .collection(of: binding.columns[propertyIndex], of: row)
    }
}
