package import FirnEngine
package import FirnValues
package import RealmFile

/// The classes of a Realm file as classes of a database.
package struct RealmImportPlan {
    /// One class of the file.
    struct Class {
        /// The name in the database; `nil` if the class is not imported.
        let name: String?
        let isEmbedded: Bool
    }

    /// The classes to add.
    package let definitions: [ClassDefinition]
    /// One element for each class of the file.
    let classes: [Class]
    /// The renamed classes and properties, and those that have no counterpart.
    package let report: RealmImportReport

    /// - Parameters:
    ///   - prefix: the text before each name of a class.
    ///   - taken: the names of the classes that the database has.
    ///   - models: the classes of a program, whose names and widths of integers a Realm file does
    ///     not have.
    package init(
        _ reader: RealmReader, prefix: String = "", taken: TextSet = [],
        models: [ClassDefinition] = []
    ) {
        var report = RealmImportReport()
        let nested = EmbeddingCycles(reader.classes)
        var names = NameSet(taken: taken)
        classes = reader.classes.enumerated().map { index, realmClass in
            guard !realmClass.isInternal, realmClass.kind != .asymmetric else {
                report.differences.append(RealmImportPlan.leftOut(realmClass))
                return Class(name: nil, isEmbedded: false)
            }
            let isCyclic = nested.contains(index)
            if realmClass.kind == .embedded, isCyclic {
                report.differences.append(
                    .init(
                        name: realmClass.name,
                        reason: "can contain itself, so its objects are not embedded"))
            }
            let name = names.add(prefix + realmClass.name)
            if name != prefix + realmClass.name {
                report.renamings.append(.init(old: realmClass.name, new: name))
            }
            return Class(name: name, isEmbedded: realmClass.kind == .embedded && !isCyclic)
        }
        var definitions: [ClassDefinition] = []
        for (realmClass, planned) in zip(reader.classes, classes) {
            guard let name = planned.name else { continue }
            definitions.append(
                RealmImportPlan.definition(
                    realmClass, name, isEmbedded: planned.isEmbedded, classes,
                    models.first { $0.name == name }, &report))
        }
        self.definitions = definitions
        self.report = report
    }

    private static func leftOut(_ realmClass: RealmClass) -> RealmImportReport.Difference {
        .init(
            name: realmClass.name,
            reason: realmClass.kind == .asymmetric
                ? "is not imported: its objects were on their way to a server"
                : "is not imported: it belongs to the permissions of a server")
    }

    private static func definition(
        _ realmClass: RealmClass, _ name: String, isEmbedded: Bool, _ classes: [Class],
        _ model: ClassDefinition?, _ report: inout RealmImportReport
    ) -> ClassDefinition {
        var names = NameSet()
        var keyName: String?
        let properties = realmClass.columns.enumerated().map { index, column in
            let declared = model?.properties.first { ($0.columnName ?? $0.name) == column.name }
            let wanted = declared?.name ?? column.name
            let property = names.add(wanted)
            let full = "\(realmClass.name).\(column.name)"
            if property != wanted { report.renamings.append(.init(old: full, new: property)) }
            if column.container == .dictionary, column.hasIntegerKeys {
                report.differences.append(
                    .init(name: full, reason: "has numbers as keys, which become texts"))
            }
            if index == realmClass.primaryKey { keyName = property }
            return self.property(column, property, full, classes, declared, &report)
        }
        return ClassDefinition(
            name: name, properties: properties, keyName: keyName, isEmbedded: isEmbedded)
    }

    private static func property(
        _ column: RealmColumn, _ name: String, _ full: String, _ classes: [Class],
        _ declared: ClassDefinition.Property?, _ report: inout RealmImportReport
    ) -> ClassDefinition.Property {
        let container: PropertyType.Container =
            switch column.container {
            case nil: .single
            case .list: .list
            case .set: .set
            case .dictionary: .map
            }
        var base = column.type.tag
        var target: String?
        if base == .link {
            target = column.target.flatMap { classes[$0].name }
            if target == nil {
                base = .any
                report.differences.append(
                    .init(name: full, reason: "links to a class that is not imported"))
            }
        }
        // An element that is any value may be nil, as may a single link and one in a map.
        let isOptional =
            column.isNullable || base == .any
            || base == .link && (container == .single || container == .map)
        let width = base == .int ? declared?.type.integerWidth : nil
        return ClassDefinition.Property(
            name: name,
            type: PropertyType(
                base, isOptional: isOptional, container: container,
                integerWidth: width ?? .bits64),
            targetName: target,
            columnName: declared == nil || name == column.name ? nil : column.name)
    }
}

extension RealmType {
    /// The kind of values in a database.
    var tag: ValueTag {
        switch self {
        case .int: .int
        case .bool: .bool
        case .string: .string
        case .data: .data
        case .mixed, .typedLink: .any
        case .date: .date
        case .float: .float
        case .double: .double
        case .decimal: .decimal128
        case .link: .link
        case .objectID: .objectID
        case .uuid: .uuid
        }
    }
}
