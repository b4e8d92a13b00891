import FirnEngine
import FirnPlatform
import FirnValues

/// The differences that a migration removes, and the steps before and after its block.
final class MigrationPlan {
    let model: ModelSchema
    private let comparisons: [SchemaComparison]
    /// The properties that are removed after the block, by class.
    private(set) var removals: [ClassID: Set<PropertyID>] = [:]
    /// The classes that are removed after the block, by name.
    var removedClasses: TextSet = []
    /// The names of the classes whose objects the block has visited.
    var visited: TextSet = []
    let report: MigrationProgress.Reporter

    init(_ model: ModelSchema, _ schema: FirnEngine.Schema, _ report: MigrationProgress.Reporter) {
        self.model = model
        self.report = report
        comparisons = model.comparisons(with: schema)
        for comparison in comparisons where !comparison.unknown.isEmpty {
            removals[comparison.known.id] = Set(comparison.unknown.map(\.id))
        }
    }

    /// Returns the layout of a class of the model.
    func layout(of className: String) -> ClassLayout? {
        model.layouts.first { $0.className == className }
    }

    /// Keeps a property whose name a property of the model has taken.
    func keep(_ property: PropertyID, of classID: ClassID) {
        removals[classID]?.remove(property)
    }

    // MARK: Before the block

    /// Adds what the file lacks, and gives properties their new types.
    ///
    /// - Returns: The values that no new type can hold, one sentence each.
    func prepare(_ transaction: WriteTransaction) throws(StoreError) -> [String] {
        for comparison in comparisons {
            try removeOldInverses(comparison, transaction)
            if !comparison.layout.type.isEmbeddedClass {
                try transaction.releaseObjects(of: comparison.known.id)
            }
            if comparison.newKeyName != nil || comparison.replacesKey {
                try transaction.setKey(nil, of: comparison.known.id)
            }
        }
        let missing = model.missingClasses(in: transaction.schema)
        if !missing.isEmpty { try transaction.addClasses(missing) }
        var problems: [String] = []
        for comparison in comparisons {
            for change in comparison.changes { _ = try transaction.apply(.schema(change)) }
            for replacement in comparison.replacements {
                if let problem = try replace(replacement, comparison, transaction) {
                    problems.append(problem)
                }
            }
        }
        try model.addInverses(to: transaction)
        return problems
    }

    /// Removes the inverses that the model lacks, because its properties may have their names.
    private func removeOldInverses(
        _ comparison: SchemaComparison, _ transaction: WriteTransaction
    ) throws(StoreError) {
        let names = Set(
            comparison.layout.properties.filter(\.declaration.isInverse).map(\.name))
        for inverse in comparison.known.inverses where !names.contains(inverse.name) {
            try transaction.removeInverse(inverse.name, of: comparison.known.id)
        }
    }

    /// - Returns: A sentence about a value that the new type cannot hold.
    private func replace(
        _ replacement: PropertyReplacement, _ comparison: SchemaComparison,
        _ transaction: WriteTransaction
    ) throws(StoreError) -> String? {
        let id = comparison.known.id
        guard replacement.keepsValues else {
            try transaction.replaceProperty(
                replacement.old.id, of: id, by: replacement.definition,
                defaultValue: replacement.defaultValue)
            return nil
        }
        let conversion = ValueConversion(replacement)
        let total = Int(clamping: try transaction.snapshot().table(id)?.liveRowCount ?? 0)
        var done = 0
        do throws(StoreError) {
            try transaction.retypeProperty(
                replacement.old.id, of: id, to: replacement.definition
            ) { value throws(StoreError) in
                done += 1
                if done % MigrationProgress.Reporter.objectsPerReport == 0 {
                    report(comparison.known.name, done, of: total)
                }
                return try conversion.converted(value)
            }
            return nil
        } catch {
            guard error.code == .typeMismatch else { throw error }
            return replacement.reason.dropLast() + ", which cannot hold \(error.detail)."
        }
    }

    // MARK: After the block

    /// Removes what the model lacks, and checks keys and embedded objects.
    ///
    /// - Returns: The violations of rules, one sentence each.
    func finish(_ transaction: WriteTransaction) throws(StoreError) -> [String] {
        var problems = unvisitedProblems(transaction)
        for (classID, properties) in removals.sorted(by: { $0.key < $1.key }) {
            for property in properties.sorted() where transaction.schema[classID] != nil {
                try transaction.removeProperty(property, of: classID)
            }
        }
        problems += try removeClasses(transaction)
        for layout in model.layouts { problems += try setKey(layout, transaction) }
        for layout in layoutsToEmbed(transaction.schema) {
            problems += try embed(layout, transaction)
        }
        guard problems.isEmpty else { return problems }
        try model.addInverses(to: transaction)
        try model.mark(in: transaction)
        try transaction.setModelVersion(model.version)
        return []
    }

    /// Returns the properties whose values would be lost because the block forgets their class.
    private func unvisitedProblems(_ transaction: WriteTransaction) -> [String] {
        comparisons.flatMap { comparison -> [String] in
            let known = comparison.known
            guard !visited.contains(known.name),
                (transaction.base.table(known.id)?.liveRowCount ?? 0) > 0
            else { return [] }
            return comparison.replacements.filter { !$0.keepsValues }.map {
                $0.reason.dropLast()
                    + ", and the migration does not enumerate the objects of '\(known.name)'."
            }
        }
    }

    private func removeClasses(_ transaction: WriteTransaction) throws(StoreError) -> [String] {
        var pending = transaction.schema.classes.filter { removedClasses.contains($0.name) }
        // Links between removed classes do not matter, so they are removed first.
        for schema in pending {
            for link in transaction.schema.incoming(to: schema.id)
            where removedClasses.contains(link.source.name) && link.source.id != schema.id {
                try transaction.removeProperty(link.property.id, of: link.source.id)
            }
        }
        pending = transaction.schema.classes.filter { removedClasses.contains($0.name) }
        var problems: [String] = []
        for schema in pending {
            let links = transaction.schema.incoming(to: schema.id)
                .filter { $0.source.id != schema.id }
            for link in links {
                problems.append(
                    "Class '\(schema.name)' cannot be removed, because '\(link.source.name)."
                        + "\(link.property.name)' links to it.")
            }
            if links.isEmpty { try transaction.removeClass(schema.id) }
        }
        return problems
    }

    private func setKey(
        _ layout: ClassLayout, _ transaction: WriteTransaction
    ) throws(StoreError) -> [String] {
        guard let schema = transaction.schema.classNamed(layout.className) else { return [] }
        let declared = layout.storedDefinition
        let definition = declared.properties.first { $0.name == declared.keyName }
        let key = definition.flatMap { schema.property(for: $0) }
        guard schema.key != key?.id else { return [] }
        do throws(StoreError) {
            try transaction.setKey(key?.id, of: schema.id)
            return []
        } catch {
            guard error.code == .duplicateKey else { throw error }
            return [
                "Primary key property '\(schema.name).\(key?.name ?? "")' has duplicate values "
                    + "after the migration: \(error.detail)."
            ]
        }
    }

    /// Returns the classes that become embedded, each before the classes to which it links.
    private func layoutsToEmbed(_ schema: FirnEngine.Schema) -> [ClassLayout] {
        var pending = model.layouts.filter { layout in
            layout.type.isEmbeddedClass
                && schema.classNamed(layout.className)?.isEmbedded == false
        }
        var ordered: [ClassLayout] = []
        while !pending.isEmpty {
            let index =
                pending.firstIndex { layout in
                    !pending.contains { $0.className != layout.className && $0.links(to: layout) }
                } ?? 0
            ordered.append(pending.remove(at: index))
        }
        return ordered
    }

    private func embed(
        _ layout: ClassLayout, _ transaction: WriteTransaction
    ) throws(StoreError) -> [String] {
        guard let schema = transaction.schema.classNamed(layout.className) else { return [] }
        do throws(StoreError) {
            try transaction.embedObjects(of: schema.id)
            return []
        } catch {
            guard error.code == .invalidSchema else { throw error }
            return ["Class '\(schema.name)' cannot be embedded: \(error.detail)."]
        }
    }
}

extension SchemaComparison {
    /// Whether the primary key of the file gets another type.
    fileprivate var replacesKey: Bool {
        known.key != nil && replacements.contains { $0.old.id == known.key }
    }
}

extension ClassLayout {
    fileprivate func links(to other: ClassLayout) -> Bool {
        properties.contains {
            !$0.declaration.isInverse && $0.declaration.target?.className() == other.className
        }
    }
}

/// The conversion of values to a type that differs only in optionality or width.
private struct ValueConversion {
    let type: FirnValues.PropertyType
    /// The value that replaces nil.
    let filler: Value?

    init(_ replacement: PropertyReplacement) {
        type = replacement.definition.type
        let element = FirnValues.PropertyType(type.base, integerWidth: type.integerWidth)
        let isSingle = type.container == .single
        filler =
            type.mayBeNull
            ? nil : (isSingle ? replacement.defaultValue : nil) ?? element.placeholder
    }

    /// - Throws: ``StoreError`` with `typeMismatch` and the value as its detail.
    func converted(_ value: Value) throws(StoreError) -> Value {
        let filled = filler.map { filling(value, $0) } ?? value
        guard let converted = filled.converted(to: type) else {
            throw StoreError(.typeMismatch, path: "", detail: filled.quoted)
        }
        return converted
    }

    private func filling(_ value: Value, _ filler: Value) -> Value {
        switch value {
        case .null: filler
        case .list(let elements): .list(elements.map { $0.isNull ? filler : $0 })
        // The filler may be an element already.
        case .set(let elements): .set(elements.filter { !$0.isNull })
        case .map(let entries): .map(entries.mapValues { $0.isNull ? filler : $0 })
        default: value
        }
    }
}
