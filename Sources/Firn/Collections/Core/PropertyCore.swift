import FirnEngine
import FirnQuery
import FirnValues

/// The list, set or map that is a property of a managed object.
final class PropertyCore: _CollectionCore {
    let owner: ClassBinding
    let row: RowID
    let place: Int

    init(_ instance: RealmInstance, _ owner: ClassBinding, _ row: RowID, _ place: Int) {
        self.owner = owner
        self.row = row
        self.place = place
        let target = owner.columns[place].type.target
        super.init(instance, elementClass: target.flatMap { instance.snapshot.schema[$0] })
    }

    /// The collection of a property of a managed object.
    convenience init(_ object: ObjectBase, _ place: Int) {
        guard let access = object.access else { misuse("an unmanaged object has no row") }
        self.init(access.instance, access.binding, access.row, place)
    }

    var property: PropertySchema { owner.columns[place] }

    override var name: String { "\(owner.layout.type.className()).\(property.name)" }

    override func findIsValid() throws(StoreError) -> Bool {
        guard !instance.isInvalidated else { return false }
        return try instance.exists(row, owner)
    }

    override func moved(to instance: RealmInstance) -> _CollectionCore {
        PropertyCore(instance, instance.binding(of: owner.layout.type), row, place)
    }

    override func load() throws(StoreError) -> CollectionContent {
        let value = try instance.value(place, of: row, owner)
        switch value {
        case .list(let values), .set(let values):
            guard elementClass != nil else { return .values(values) }
            return .objects(
                values.compactMap { value in
                    if case .link(let reference) = value { reference.rowID } else { nil }
                })
        case nil:
            misuse(
                "the \(name) is gone: its object was deleted, or the realm was invalidated; ask "
                    + "isInvalidated before")
        default: misuse("\(name) is no list and no set")
        }
    }

    /// Changes the collection inside of the open transaction.
    func edit(_ change: CollectionEdit) {
        instance.change("change \(name)") { transaction throws(StoreError) in
            try transaction.edit(property.id, of: row, in: owner.schema.id, change)
        }
    }

    /// Changes the collection with an element that may have to be added to the realm first.
    func edit(
        with element: some RealmCollectionValue, _ change: (Value) -> CollectionEdit
    ) {
        instance.change("change \(name)") { transaction throws(StoreError) in
            let value = try _ObjectAdding(instance, transaction, .error).encoded(element)
            try transaction.edit(property.id, of: row, in: owner.schema.id, change(value))
        }
    }
}
