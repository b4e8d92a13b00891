import FirnEngine
import FirnQuery
import FirnValues

/// The objects that link to a managed object through one property, from the link index.
final class LinkingCore: _CollectionCore {
    let owner: ClassBinding
    let row: RowID
    private let propertyIndex: Int
    let source: ClassSchema
    let property: PropertySchema

    init(_ instance: RealmInstance, _ owner: ClassBinding, _ row: RowID, _ propertyIndex: Int) {
        let name = owner.layout.properties[propertyIndex].name
        guard let inverse = owner.schema.inverseNamed(name),
            let source = instance.snapshot.schema[inverse.sourceClass],
            let property = source[inverse.sourceProperty]
        else {
            misuse(
                "\(owner.schema.name).\(name) is the inverse of no property of this version of the "
                    + "file: open the realm again")
        }
        // Otherwise objects of another class would be read as objects of the model.
        let origin = InverseOrigin(owner.layout.properties[propertyIndex], instance.snapshot.schema)
        guard origin?.isSource(of: inverse) ?? true else {
            misuse(
                "\(owner.schema.name).\(name) has become the inverse of \(source.name)."
                    + "\(property.name) since the realm was opened: open it again, with a model that says so"
            )
        }
        self.owner = owner
        self.row = row
        self.propertyIndex = propertyIndex
        self.source = source
        self.property = property
        super.init(instance, elementClass: source)
    }

    override var name: String {
        "\(owner.layout.className).\(owner.layout.properties[propertyIndex].name)"
    }

    override func findIsValid() throws(StoreError) -> Bool {
        guard !isStale else { return false }
        return try instance.exists(row, owner)
    }

    override func moved(to instance: RealmInstance) -> _CollectionCore {
        LinkingCore(instance, instance.binding(like: owner), row, propertyIndex)
    }

    override func isSame(as other: _CollectionCore) -> Bool {
        guard let other = other as? LinkingCore else { return false }
        return instance === other.instance && row == other.row
            && propertyIndex == other.propertyIndex
            && owner.schema.id == other.owner.schema.id
    }

    override func load() throws(StoreError) -> CollectionContent {
        guard try findIsValid() else {
            misuse(
                "the \(name) is gone: its object was deleted, or the realm was invalidated; ask "
                    + "isInvalidated before")
        }
        let snapshot = try instance.currentSnapshot().snapshot
        let sources = try snapshot.sources(
            of: [row], in: owner.schema.id, through: property, of: source)
        return .objects(ObjectRows(Array(sources[0])))
    }
}
