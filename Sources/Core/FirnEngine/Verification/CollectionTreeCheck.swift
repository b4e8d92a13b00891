import FirnCodec
import FirnPlatform
import FirnValues

/// A check of all elements of a collection tree: every value decodes, sets ascend, and no map
/// contains a key twice.
///
/// The nodes and the order of the keys are checked by ``TreeCheck``.
struct CollectionTreeCheck {
    private let tree: Tree
    private let container: PropertyType.Container
    private(set) var findings: [Finding] = []
    private var row: RowID?
    private var count = 0
    private var last: CollectionEntry?
    private static let findingCountMax = 100

    init(_ tree: Tree, container: PropertyType.Container) {
        self.tree = tree
        self.container = container
    }

    /// Checks the elements.
    ///
    /// - Parameter visit: Receives every object that has elements, ascending, and their number.
    /// - Throws: The errors of `visit`, and `corrupt` if a node cannot be read.
    mutating func run(
        _ visit: (RowID, Int) throws(StoreError) -> Void
    ) throws(StoreError) {
        var check = self
        try tree.forEach(in: 0..<tree.count) { key, value throws(StoreError) in
            let row = TreeKey.row(ofElement: key)
            if row != check.row {
                if let done = check.row { try visit(done, check.count) }
                check.row = row
                check.count = 0
                check.last = nil
            }
            check.count += 1
            try check.look(key, value)
            return check.findings.count < CollectionTreeCheck.findingCountMax
        }
        if let done = check.row { try visit(done, check.count) }
        self = check
    }

    private mutating func look(
        _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws(StoreError) {
        let entry: CollectionEntry
        do throws(CodecError) {
            entry = try CollectionEntry(treeKey: key, value: value, isMap: container == .map)
        } catch {
            last = nil
            return add(error.reason)
        }
        if let last, !isBefore(last, entry) { add("is not sorted, or there twice") }
        last = entry
    }

    private func isBefore(
        _ left: CollectionEntry, _ right: CollectionEntry
    ) -> Bool {
        switch container {
        case .single, .list: return true
        case .map: return CollectionEntry.keyOrder(left.key ?? "", right.key ?? "") == .less
        case .set:
            return left.value.order(relativeTo: right.value) == .less
        }
    }

    private mutating func add(_ message: String) {
        let location = row.map { "element \(count - 1) of @id \($0.rawValue)" } ?? "an element"
        findings.append(
            Finding(kind: .structure, message: "the \(tree.name): \(location): \(message)"))
    }
}
