import FirnEngine
import FirnQuery
import FirnValues

/// The list or dictionary inside a value of type Any.
///
/// The property is stored as a whole, so the cost of a change is proportional to the size of the
/// outermost value.
final class NestedCore: EditableCore {
    /// The maximum nesting depth of lists and dictionaries.
    static let depthMaximum = 100
    let nested: NestedLocation

    init(_ instance: RealmInstance, _ nested: NestedLocation) {
        self.nested = nested
        super.init(instance)
    }

    override var name: String {
        let steps = nested.steps.map { step in
            switch step {
            case .index(let index): "[\(index)]"
            case .key(let key): "[\"\(key)\"]"
            }
        }
        return "\(nested.owner.layout.className).\(nested.property.name)" + steps.joined()
    }

    override func isSame(as other: EditableCore) -> Bool {
        guard let other = other as? NestedCore else { return false }
        return instance === other.instance && nested.row == other.nested.row
            && nested.propertyIndex == other.nested.propertyIndex
            && nested.steps == other.nested.steps
            && nested.owner.schema.id == other.nested.owner.schema.id
    }

    override func findIsValid() throws(StoreError) -> Bool { try findView() != nil }

    override func moved(to instance: RealmInstance) -> _CollectionCore {
        let owner = instance.binding(like: nested.owner)
        return NestedCore(
            instance, NestedLocation(owner, nested.row, nested.propertyIndex, nested.steps))
    }

    override func reference(at index: Int) -> _RealmReference {
        _RealmReference(instance, nested.adding(.index(index)))
    }

    override func reference(forKey key: String) -> _RealmReference {
        _RealmReference(instance, nested.adding(.key(key)))
    }

    override func findView() throws(StoreError) -> CollectionView? {
        guard !isStale, let outermost = try outermost() else { return nil }
        guard let value = outermost.value(at: inner), value.isNested else { return nil }
        return CollectionView(value)
    }

    /// The steps inside the outermost value.
    private var inner: ArraySlice<NestedLocation.Step> {
        nested.property.type.container == .single ? nested.steps[...] : nested.steps.dropFirst()
    }

    /// Returns the value of the property, or the element of a collection that contains this.
    private func outermost() throws(StoreError) -> Value? {
        let (owner, row, propertyIndex) = (nested.owner, nested.row, nested.propertyIndex)
        guard nested.property.type.container != .single else {
            return try instance.value(propertyIndex, of: row, owner)
        }
        guard let view = try instance.collection(propertyIndex, of: row, owner) else { return nil }
        switch nested.steps.first {
        case .index(let index) where index < view.count:
            return try view.elements(in: index..<(index + 1)).first
        case .key(let key): return try view.element(forKey: key)
        case .index, nil: return nil
        }
    }

    // MARK: Changing

    override func apply(
        _ edit: CollectionEdit, _ transaction: WriteTransaction
    ) throws(StoreError) {
        guard var value = try findView()?.value() else { gone() }
        try value.apply(edit, path: instance.file.path)
        try replaceAll(with: value, transaction)
    }

    override func replaceAll(
        with value: Value, _ transaction: WriteTransaction
    ) throws(StoreError) {
        guard var outermost = try outermost(), outermost.replace(at: inner, with: value) else {
            gone()
        }
        guard outermost.nestingDepth <= NestedCore.depthMaximum else {
            misuse(
                "lists and dictionaries are nested more than \(NestedCore.depthMaximum) levels deep"
            )
        }
        let (property, row, owner) = (nested.property.id, nested.row, nested.owner.schema.id)
        switch (nested.property.type.container, nested.steps.first) {
        case (.list, .index(let index)):
            try transaction.edit(property, of: row, in: owner, .replace(index, outermost))
        case (.map, .key(let key)):
            try transaction.edit(property, of: row, in: owner, .put(key, outermost))
        default: try transaction.set(property, of: row, in: owner, to: outermost)
        }
    }
}

extension Value {
    /// Whether the value is a list or dictionary.
    var isNested: Bool { tag == .list || tag == .map }

    /// The nesting depth of lists and dictionaries.
    fileprivate var nestingDepth: Int {
        switch self {
        case .list(let values): 1 + (values.map(\.nestingDepth).max() ?? 0)
        case .map(let entries): 1 + (entries.values.map(\.nestingDepth).max() ?? 0)
        default: 0
        }
    }

    /// Returns the value at the end of a path into this value, or `nil` if it does not exist.
    fileprivate func value(at steps: ArraySlice<NestedLocation.Step>) -> Value? {
        guard let step = steps.first else { return self }
        switch (self, step) {
        case (.list(let values), .index(let index)) where values.indices.contains(index):
            return values[index].value(at: steps.dropFirst())
        case (.map(let entries), .key(let key)):
            return entries[key]?.value(at: steps.dropFirst())
        default: return nil
        }
    }

    /// Replaces the value at the end of a path into this value.
    ///
    /// - Returns: `false` if the path does not exist.
    fileprivate mutating func replace(
        at steps: ArraySlice<NestedLocation.Step>, with value: Value
    ) -> Bool {
        guard let step = steps.first else {
            self = value
            return true
        }
        switch (self, step) {
        case (.list(var values), .index(let index)) where values.indices.contains(index):
            guard values[index].replace(at: steps.dropFirst(), with: value) else { return false }
            self = .list(values)
        case (.map(var entries), .key(let key)):
            guard entries[key]?.replace(at: steps.dropFirst(), with: value) == true else {
                return false
            }
            self = .map(entries)
        default: return false
        }
        return true
    }
}

extension _RealmReference {
    /// The list or dictionary to be decoded, or `nil` if its location is not known.
    var nestedCore: NestedCore? {
        guard known != nil, let nested else { return nil }
        return NestedCore(instance, nested)
    }
}
