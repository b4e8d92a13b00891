import FirnCodec
import FirnValues

/// Gathers what commits did, operation by operation.
struct RecordedChanges {
    struct Class {
        var created: Set<RowID> = []
        var deleted: Set<RowID> = []
        /// Whether an object was created and deleted again.
        var hasPassing = false
        var modified: [RowID: PropertySet] = [:]
        /// Nothing stands for a collection that something else than edits happened to.
        var edits: [CollectionPlace: [CollectionEdit]?] = [:]
    }

    private(set) var classes: [ClassID: Class] = [:]
    private(set) var schemaChanged = false
    /// Of the last commit.
    private(set) var time: Int64?

    /// Adds what one commit did.
    ///
    /// - Parameters:
    ///   - bytes: its operations, needed only during the call.
    ///   - path: of the file that they come from, for the error if they are damaged.
    mutating func add(
        _ bytes: UnsafeRawBufferPointer, count: Int, time: Int64, in path: String
    ) throws(StoreError) {
        var reader = OperationReader(bytes, count: count)
        do throws(CodecError) {
            while let operation = try Self.next(&reader) { add(operation) }
        } catch {
            throw reader.damage(error, in: path)
        }
        self.time = time
    }

    private enum Step {
        case created(ClassID, RowID)
        case set(ClassID, RowID, PropertyID)
        case other(Operation)
    }

    /// The values of objects do not matter here.
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
        }
    }

    // MARK: What follows from it

    /// Notes that an object went, although no operation says so.
    ///
    /// - Returns: whether it was not known yet.
    mutating func noteGone(_ object: ObjectReference) -> Bool {
        classes[object.classID, default: Class()].delete(object.rowID)
    }

    /// Notes that a property lost something, although no operation says so.
    mutating func noteLoss(_ property: PropertyID, of row: RowID, in classID: ClassID) {
        classes[classID, default: Class()].write(to: property, of: row, edit: nil)
    }

    /// Notes that a collection may have lost something between its edits.
    mutating func forgetEdits(of property: PropertyID, in classID: ClassID) {
        guard let edits = classes[classID]?.edits else { return }
        for place in edits.keys where place.property == property {
            classes[classID]?.edits[place] = .some(nil)
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
    /// - Parameter edit: `nil` if all of the property is another now.
    fileprivate mutating func write(to property: PropertyID, of row: RowID, edit: CollectionEdit?) {
        guard !created.contains(row), !deleted.contains(row) else { return }
        modified[row, default: PropertySet()].insert(property)
        let place = CollectionPlace(row: row, property: property)
        guard let edit else {
            edits[place] = .some(nil)
            return
        }
        if case .some(nil) = edits[place] { return }
        var known = edits.removeValue(forKey: place).flatMap { $0 } ?? []
        known.append(edit)
        edits[place] = known
    }

    /// - Returns: whether the object was not known to be gone.
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

    /// The same in the order in which others read it.
    var sorted: ClassChanges {
        var changes = ClassChanges()
        changes.created = created.sorted()
        changes.deleted = deleted.sorted()
        changes.modified = modified.sorted { $0.key < $1.key }
            .map { ModifiedObject(row: $0.key, properties: $0.value) }
        for case (let place, let edits?) in edits where modified[place.row] != nil {
            changes.edits[place] = edits
        }
        return changes
    }
}
