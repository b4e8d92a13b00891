import FirnValues

/// A column, or a part of one, in the tree of a file.
///
/// The values of a node are where the levels of a leaf below it say so: an entry of the leaf with a
/// repetition level of at most ``repetition`` and a definition level of at least
/// ``slotDefinition`` is a slot, and is not null if its definition level reaches ``definition``.
final class ParquetNode {
    enum Kind {
        case leaf(ParquetLeaf)
        case structure([ParquetNode])
        /// A list whose elements are a node with a repetition level that is higher by one.
        case list(ParquetNode)
        case map(key: ParquetNode, value: ParquetNode)
    }

    let field: ColumnarField
    let kind: Kind
    /// The definition level of a value that is not null.
    let definition: Int
    let repetition: Int
    /// The minimum definition level at which the innermost enclosing list has an element.
    let slotDefinition: Int

    init(
        _ field: ColumnarField, _ kind: Kind, definition: Int, repetition: Int, slotDefinition: Int
    ) {
        self.field = field
        self.kind = kind
        self.definition = definition
        self.repetition = repetition
        self.slotDefinition = slotDefinition
    }

    /// The first leaf below, whose levels describe the node.
    var firstLeaf: ParquetLeaf? {
        switch kind {
        case .leaf(let leaf): leaf
        case .structure(let parts): parts.first?.firstLeaf
        case .list(let element): element.firstLeaf
        case .map(let key, _): key.firstLeaf
        }
    }
}

/// A column without parts, which has pages.
final class ParquetLeaf {
    /// The position in the list of leaves.
    let index: Int
    /// The names from the root, with periods.
    let path: String
    let physical: ParquetPhysicalType
    /// The bytes of a stored value; 0 if they differ.
    let valueBytes: Int
    let type: ColumnarType
    let definitionMax: Int
    let repetitionMax: Int
    /// The minimum definition level at which the innermost enclosing list has an element.
    let slotDefinition: Int

    init(
        index: Int, path: String, _ physical: ParquetPhysicalType, valueBytes: Int,
        _ type: ColumnarType, definitionMax: Int, repetitionMax: Int, slotDefinition: Int
    ) {
        self.index = index
        self.path = path
        self.physical = physical
        self.valueBytes = valueBytes
        self.type = type
        self.definitionMax = definitionMax
        self.repetitionMax = repetitionMax
        self.slotDefinition = slotDefinition
    }

    /// Returns whether the column is not inside a list or an optional group.
    var isFlat: Bool { repetitionMax == 0 && definitionMax <= 1 }
}
