import FirnCodec
import FirnValues

/// The recorded changes of commits, gathered operation by operation.
struct RecordedChanges {
    struct Class {
        var created: Set<RowID> = []
        var deleted: Set<RowID> = []
        /// Whether an object was created and deleted again.
        var hasPassing = false
        var modified: [RowID: PropertySet] = [:]
        /// The edits of collections; `nil` for a collection that also changed in other ways.
        var edits: [CollectionID: [CollectionEdit]?] = [:]
    }

    private(set) var classes: [ClassID: Class] = [:]
    private(set) var schemaChanged = false
    /// The time and the annotation of the last commit.
    private(set) var commit: CommitMetadata?

    /// Adds the changes of one commit.
    ///
    /// - Parameters:
    ///   - bytes: Its operations, needed only during the call.
    ///   - path: The path of their file, for the error if they are damaged.
    mutating func add(
        _ bytes: UnsafeRawBufferPointer, count: Int, time: Int64, in path: String
    ) throws(StoreError) {
        commit = CommitMetadata(time: time)
        var reader = OperationReader(bytes, count: count)
        do throws(CodecError) {
            while let operation = try Self.next(&reader) { add(operation) }
        } catch {
            throw reader.damage(error, in: path)
        }
    }

    private enum Step {
        case created(ClassID, RowID)
        case set(ClassID, RowID, PropertyID)
        case other(Operation)
    }

    /// Reads the next step, skipping the values of created objects, which are not needed here.
    private static func next(_ reader: inout OperationReader) throws(CodecError) -> Step? {
        switch try reader.step() {
        case .end: return nil
        case .set(let classID, let row, let property, _): return .set(classID, row, property)
        case .create(let classID, let row, let valueCount):
            for _ in 0..<valueCount { _ = try Operation.value(from: &reader.reader) }
            return .created(classID, row)
        case .other(let operation): return .other(operation)
        }
    }

    private mutating func add(_ step: Step) {
        switch step {
        case .created(let classID, let row), .other(.create(let classID, let row, _)):
            classes[classID, default: Class()].created.insert(row)
        case .set(let classID, let row, let property),
            .other(.set(let classID, let row, let property, _)):
            classes[classID, default: Class()].write(to: property, of: row, edit: nil)
        case .other(.edit(let classID, let row, let property, let edit)):
            classes[classID, default: Class()].write(to: property, of: row, edit: edit)
        case .other(.delete(let classID, let row)):
            classes[classID, default: Class()].delete(row)
        case .other(.schema): schemaChanged = true
        case .other(.freeze), .other(.dropFreeze): break
        case .other(.annotate(let annotation)): commit?.annotation = annotation
        }
    }

    // MARK: Consequences

    /// Records that an object was deleted, although no operation says so.
    ///
    /// - Returns: Whether the deletion was not known yet.
    mutating func noteGone(_ object: ObjectReference) -> Bool {
        classes[object.classID, default: Class()].delete(object.rowID)
    }

    /// Records that a property lost a value, although no operation says so.
    mutating func noteLoss(_ property: PropertyID, of row: RowID, in classID: ClassID) {
        classes[classID, default: Class()].write(to: property, of: row, edit: nil)
    }

    /// Records that a collection may have lost elements between its edits.
    mutating func forgetEdits(of property: PropertyID, in classID: ClassID) {
        guard let edits = classes[classID]?.edits else { return }
        for collection in edits.keys where collection.property == property {
            classes[classID]?.edits[collection] = .some(nil)
        }
    }

    /// Keeps only some of the created objects.
    mutating func keepCreated(
        in classID: ClassID, where exists: (RowID) throws(StoreError) -> Bool
    ) throws(StoreError) {
        for row in classes[classID]?.created ?? [] where try !exists(row) {
            classes[classID]?.created.remove(row)
        }
    }
}

extension RecordedChanges.Class {
    /// - Parameter edit: The edit; `nil` if the whole property was replaced.
    fileprivate mutating func write(to property: PropertyID, of row: RowID, edit: CollectionEdit?) {
        guard !created.contains(row), !deleted.contains(row) else { return }
        modified[row, default: PropertySet()].insert(property)
        let collection = CollectionID(row: row, property: property)
        guard let edit else {
            edits[collection] = .some(nil)
            return
        }
        if case .some(nil) = edits[collection] { return }
        var known = edits.removeValue(forKey: collection).flatMap { $0 } ?? []
        known.append(edit)
        edits[collection] = known
    }

    /// - Returns: Whether the deletion was not known yet.
    @discardableResult
    fileprivate mutating func delete(_ row: RowID) -> Bool {
        if created.remove(row) != nil {
            hasPassing = true
            return true
        }
        guard deleted.insert(row).inserted else { return false }
        modified[row] = nil
        return true
    }

    /// The same changes in ascending order, for readers.
    var sorted: ClassChanges {
        var changes = ClassChanges()
        changes.created = created.sorted()
        changes.deleted = deleted.sorted()
        changes.modified = modified.sorted { $0.key < $1.key }
            .map { ModifiedObject(row: $0.key, properties: $0.value) }
        for case (let collection, let edits?) in edits where modified[collection.row] != nil {
            changes.edits[collection] = edits
        }
        return changes
    }
}
