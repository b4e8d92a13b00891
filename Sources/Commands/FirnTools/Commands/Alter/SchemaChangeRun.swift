import FirnCodec
import FirnEngine
import FirnFormats
import FirnText
import FirnValues

/// Runs the changes of `alter` in a transaction.
struct SchemaChangeRun {
    let transaction: WriteTransaction
    let file: String
    let work: ConversionProgress
    /// The number of objects that were deleted with their classes.
    private(set) var deletedCount: UInt64 = 0
    /// The links that were filled, in order.
    private(set) var links: [LinkOutcome] = []

    init(transaction: WriteTransaction, file: String, work: ConversionProgress) {
        self.transaction = transaction
        self.file = file
        self.work = work
    }

    var schema: Schema { transaction.schema }

    mutating func run(_ change: SchemaChangeText) throws(CommandFailure) {
        switch change {
        case .addClass(let name):
            try CommandFailure.converting(
                transaction.addClasses([ClassDefinition(name: name, properties: [])]))
        case .addProperty(let name, let type, let defaultValue): try add(name, type, defaultValue)
        case .renameClass(let name, let new):
            let id = try schema.altered(name, in: file).id
            try CommandFailure.converting(transaction.renameClass(id, to: new))
        case .renameProperty(let name, let new):
            let (owner, property) = try schema.altered(name, in: file)
            try CommandFailure.converting(
                transaction.renameProperty(property.id, of: owner.id, to: new))
        case .removeClass(let name):
            let id = try schema.altered(name, in: file).id
            try CommandFailure.converting { () throws(StoreError) in
                let table = try transaction.snapshot().table(id)
                deletedCount += UInt64(table?.liveRowCount ?? 0)
                try transaction.removeClass(id)
            }
        case .removeProperty(let name): try remove(name)
        case .retype(let name, let type): try retype(name, type)
        case .setKey(let name, let property): try setKey(name, property)
        case .addInverse(let name, let source):
            let owner = try schema.altered(name.className, in: file)
            _ = try schema.altered(source, in: file)
            try CommandFailure.converting(
                transaction.addInverse(
                    ClassDefinition.Inverse(
                        name: name.name, sourceClassName: source.className,
                        sourcePropertyName: source.name), to: owner.id))
        case .link(let request): try link(request)
        case .addIndex(let request, let isUnique): try addIndex(request, isUnique)
        case .dropIndex(let request): try dropIndex(request)
        }
    }

    private mutating func link(_ request: LinkRequest) throws(CommandFailure) {
        let plan = try LinkPlan(request, in: schema, preferred: [])
        let filling = try LinkFilling(plan, transaction, work)
        try filling.fillAll()
        links.append(filling.outcome)
    }

    private func add(
        _ name: SchemaChangeText.PropertyName, _ type: TypeText,
        _ defaultValue: SchemaChangeText.DefaultValue?
    ) throws(CommandFailure) {
        let owner = try schema.altered(name.className, in: file)
        let definition = try definition(name.name, type, nil)
        var value: Value?
        if let defaultValue { value = try self.value(defaultValue, definition.type, name) }
        do {
            _ = try transaction.addProperty(definition, to: owner.id, defaultValue: value)
        } catch {
            guard error.code == .missingValue, value == nil else { throw CommandFailure(error) }
            let shown = SafeText.escaping(name.text)
            let typeName = schema.typeName(definition.type)
            var diagnostic = Diagnostic(
                .writeMissingValue, "\(shown): existing objects need a value")
            diagnostic.file = file
            diagnostic.remedy =
                "write: add \(shown) \(typeName) = VALUE, or: add \(shown) \(typeName)?"
            throw .diagnostic(diagnostic)
        }
    }

    /// Returns a property with the id of the class that it links to.
    private func definition(
        _ name: String, _ type: TypeText, _ old: PropertySchema?
    ) throws(CommandFailure) -> ClassDefinition.Property {
        var wanted = type.type
        if let target = type.targetName {
            wanted = PropertyType(
                .link, isOptional: wanted.isOptional, container: wanted.container,
                target: try schema.target(target, in: file).id)
        }
        return ClassDefinition.Property(
            name: name, type: wanted,
            display: old?.type.base == wanted.base ? old?.display : nil,
            targetName: type.targetName, isIndexed: old?.isIndexed ?? false,
            columnName: old.flatMap { $0.columnName == $0.name ? nil : $0.columnName })
    }

    private func value(
        _ defaultValue: SchemaChangeText.DefaultValue, _ type: PropertyType,
        _ name: SchemaChangeText.PropertyName
    ) throws(CommandFailure) -> Value {
        if !defaultValue.isQuoted, ["null", "nil"].contains(defaultValue.text),
            type.absentValue == .null
        {
            return .null
        }
        let cell = JSONTree(.string(defaultValue.text), at: TextPosition(offset: 0, line: 1))
        do throws(RecordMistake) {
            let tree = try CellReading().tree(
                cell, as: type, target: nil)
            do throws(JSONMistake) {
                guard case .value(let value) = try JSONValueReader.read(tree, as: type) else {
                    throw JSONMistake(.value, "the value must not contain a link", tree)
                }
                return value
            } catch { throw RecordMistake(error) }
        } catch {
            var diagnostic = Diagnostic(
                error.slug, "\(SafeText.escaping(name.text)): \(error.message)")
            diagnostic.details = error.excerpt.map { [$0] } ?? []
            throw .diagnostic(diagnostic)
        }
    }

    private func remove(_ name: SchemaChangeText.PropertyName) throws(CommandFailure) {
        let owner = try schema.altered(name.className, in: file)
        if owner.propertyNamed(name.name) == nil, owner.inverseNamed(name.name) != nil {
            return try CommandFailure.converting(transaction.removeInverse(name.name, of: owner.id))
        }
        let (_, property) = try schema.altered(name, in: file)
        try CommandFailure.converting(transaction.removeProperty(property.id, of: owner.id))
    }

    private func setKey(_ name: String, _ property: String?) throws(CommandFailure) {
        let owner = try schema.altered(name, in: file)
        var id: PropertyID?
        if let property {
            id = try schema.altered(.init(className: name, name: property), in: file).1.id
        }
        try work.begin("checking", "\(name).\(property ?? "")", try objectCount(of: owner))
        do {
            try transaction.setKey(id, of: owner.id) { done, _ throws(StoreError) in
                try work.advance(to: done)
            }
        } catch {
            try work.checkSignals()
            guard case .diagnostic(var diagnostic) = CommandFailure(error),
                error.code == .duplicateKey
            else { throw CommandFailure(error) }
            diagnostic.remedy =
                "give one of them another value, or delete it: firn write "
                + "\(ShellWord.quoted(file)) -x '\(SafeText.escaping(owner.name)) @id == ID | delete'"
            throw .diagnostic(diagnostic)
        }
    }

    // MARK: Retyping

    private func retype(
        _ name: SchemaChangeText.PropertyName, _ type: TypeText
    ) throws(CommandFailure) {
        let (owner, property) = try schema.altered(name, in: file)
        var definition = try definition(property.name, type, property)
        let wanted = definition.type
        guard wanted != property.type else { return }
        if wanted.base == .link || property.type.base == .link,
            wanted.base != property.type.base
                || wanted.target != property.type.target
        {
            var diagnostic = Diagnostic(
                .writeType,
                "\(SafeText.escaping(name.text)) is \(schema.typeName(property.type)), and a link "
                    + "cannot change its type")
            diagnostic.remedy = "add a property, and set it with firn write -x"
            throw .diagnostic(diagnostic)
        }
        try work.begin("checking", name.text, try objectCount(of: owner))
        if try check(property, of: owner, wanted, definition) {
            definition = definition.displayed(as: .dateOnly)
        }
        try work.begin("converting", name.text, try objectCount(of: owner))
        try work.converting { () throws(StoreError) in
            try transaction.retypeProperty(property.id, of: owner.id, to: definition) {
                value throws(StoreError) in
                try work.advance()
                guard let converted = value.converted(to: wanted) else {
                    throw StoreError(
                        .typeMismatch, path: "", detail: "\(name.text): \(value.quoted)")
                }
                return converted
            }
        }
    }

    private func objectCount(of owner: ClassSchema) throws(CommandFailure) -> UInt64 {
        try CommandFailure.converting { () throws(StoreError) in
            UInt64(clamping: try transaction.snapshot().table(owner.id)?.liveRowCount ?? 0)
        }
    }

    /// Finds the first value that does not convert, to name its object in the error.
    ///
    /// - Returns: Whether the values are texts of dates, and none has a time.
    private func check(
        _ property: PropertySchema, of owner: ClassSchema, _ wanted: PropertyType,
        _ definition: ClassDefinition.Property
    ) throws(CommandFailure) -> Bool {
        var found: (row: RowID, value: Value)?
        var (dateCount, hasTimes) = (0, wanted.base != .date || wanted.container != .single)
        try work.converting { () throws(StoreError) in
            guard let table = try transaction.snapshot().table(owner.id) else { return }
            for group in try table.rowGroups() {
                let values = try RetypedColumn(group, property)
                let live = try group.liveRows()
                for row in 0..<group.rowCount where live?[row] ?? true {
                    try work.advance()
                    let value = try values.value(at: row)
                    guard value.converted(to: wanted) == nil else {
                        if value.isNull { continue }
                        dateCount += 1
                        hasTimes = hasTimes || !value.isDateText
                        continue
                    }
                    found = (try group.rowID(at: row), value)
                    return
                }
            }
        }
        guard let found else { return dateCount > 0 && !hasTimes }
        let type = wanted.name(ofTarget: definition.targetName ?? "Link")
        let key = try keyText(of: found.row, in: owner)
        var diagnostic = Diagnostic(
            found.value.isNull ? .writeMissingValue : .writeType,
            "\(SafeText.escaping(owner.name)).\(SafeText.escaping(property.name)) of the object with "
                + "\(key) does not convert to \(type)")
        diagnostic.file = file
        diagnostic.details = [SafeText.excerpt(of: found.value.quoted.utf8)]
        diagnostic.remedy =
            found.value.isNull
            ? "allow nil with \(type)?, or give these objects a value first"
            : "a value converts only if nothing is lost; change it first with firn write -x"
        throw .diagnostic(diagnostic)
    }

    private func keyText(of row: RowID, in owner: ClassSchema) throws(CommandFailure) -> String {
        guard let key = owner.keyProperty, let index = owner.index(of: key.id) else {
            return "@id \(row.rawValue)"
        }
        do {
            guard let values = try transaction.values(of: row, in: owner.id) else {
                return "@id \(row.rawValue)"
            }
            return "\(key.name) \(SafeText.escaping(values[index].quoted))"
        } catch { throw CommandFailure(error) }
    }
}

/// The values of a property in one row group: scalars or collections.
private enum RetypedColumn {
    case single(ColumnPage, target: ClassID?)
    case collection(CollectionColumn)

    init(_ group: RowGroupView, _ property: PropertySchema) throws(StoreError) {
        if property.type.container == .single {
            let isLink = property.type.base == .link
            self = .single(
                try group.column(property), target: isLink ? property.type.target : nil)
        } else {
            self = .collection(try group.collection(property))
        }
    }

    func value(at row: Int) throws(StoreError) -> Value {
        switch self {
        case .single(let page, let target):
            let value = page.value(at: row)
            guard let target, case .int(let number) = value else { return value }
            return .link(
                ObjectReference(classID: target, rowID: RowID(UInt64(bitPattern: number))))
        case .collection(let column): return try column.value(at: row)
        }
    }
}

extension Schema {
    /// Returns the class that a change names.
    func altered(
        _ name: String, in file: String
    ) throws(CommandFailure) -> ClassSchema {
        try chosen(name, in: file, .writeUnknownClass)
    }

    /// Returns the class that a type names.
    fileprivate func target(
        _ name: String, in file: String
    ) throws(CommandFailure) -> ClassSchema {
        guard classNamed(name) == nil, let type = TypeText.name(ofOther: name) else {
            return try altered(name, in: file)
        }
        var diagnostic = Diagnostic(
            .writeUnknownClass, "there is no type or class \"\(SafeText.escaping(name))\"")
        diagnostic.file = file
        diagnostic.suggestions = [type]
        diagnostic.remedy = "did you mean \"\(type)\"?"
        throw .diagnostic(diagnostic)
    }

    /// Returns the property that a change names.
    func altered(
        _ name: SchemaChangeText.PropertyName, in file: String
    ) throws(CommandFailure) -> (ClassSchema, PropertySchema) {
        let owner = try altered(name.className, in: file)
        if let found = owner.propertyNamed(name.name) { return (owner, found) }
        var diagnostic = Diagnostic(
            .writeUnknownProperty,
            "\(SafeText.escaping(owner.name)) has no property \"\(SafeText.escaping(name.name))\"")
        diagnostic.file = file
        let names = owner.properties.map(\.name)
        diagnostic.suggestions = NearestNames.misspelt(name.name, among: names)
        if let first = diagnostic.suggestions.first {
            diagnostic.details = ["did you mean \"\(SafeText.escaping(first))\"?"]
        }
        diagnostic.details.append(
            "properties: \(names.map { SafeText.escaping($0) }.joined(separator: ", "))")
        throw .diagnostic(diagnostic)
    }
}

extension Value {
    /// Whether a value that converts to a date is a text without a time: `2024-02-29`.
    fileprivate var isDateText: Bool {
        if case .string(let text) = self {
            text.utf8.count == "yyyy-mm-dd".utf8.count
        } else {
            false
        }
    }
}

extension ClassDefinition.Property {
    fileprivate func displayed(as display: DisplayForm) -> ClassDefinition.Property {
        ClassDefinition.Property(
            name: name, type: type, display: display, targetName: targetName,
            isIndexed: isIndexed, columnName: columnName)
    }
}
