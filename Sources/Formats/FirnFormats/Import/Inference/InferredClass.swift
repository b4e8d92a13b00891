package import FirnEngine
import FirnValues

/// A class inferred from the objects of an input.
package struct InferredClass {
    /// A property, and the reason for its type.
    package struct Field {
        /// The name in the input.
        package let name: String
        package let property: ClassDefinition.Property
        package let reason: String
        package let nulls: UInt64
        /// A value that an export prints differently, and its printed form.
        package var respelling: ColumnDecision.Respelling?

        package init(
            name: String, property: ClassDefinition.Property, reason: String, nulls: UInt64,
            respelling: ColumnDecision.Respelling? = nil
        ) {
            self.name = name
            self.property = property
            self.reason = reason
            self.nulls = nulls
            self.respelling = respelling
        }
    }

    package let name: String
    package var fields: [Field]
    package let isEmbedded: Bool
    package let rowCount: UInt64

    package init(name: String, fields: [Field], isEmbedded: Bool, rowCount: UInt64) {
        self.name = name
        self.fields = fields
        self.isEmbedded = isEmbedded
        self.rowCount = rowCount
    }

    /// Returns the classes of the objects found; classes of embedded objects come first.
    ///
    /// - Parameter taken: the names of classes, to which those of embedded objects are added.
    package static func classes(
        _ evidence: ObjectEvidence, named name: String, declared: [DeclaredType],
        names: FieldNames, taken: inout ClassNames, isEmbedded: Bool = false
    ) -> [InferredClass] {
        var classes: [InferredClass] = []
        var fields: [Field] = []
        for (index, field) in evidence.names.enumerated() {
            let property = names.property(field)
            if let type = declared.last(where: { $0.isMeant(for: property, of: name) }) {
                fields.append(
                    Field(
                        name: field,
                        property: ClassDefinition.Property(
                            name: property, type: type.type, targetName: type.targetName),
                        reason: "declared", nulls: evidence.fields[index].nulls))
                continue
            }
            var decision = TypeDecision(evidence.fields[index]) {
                taken.take(name + InferredClass.camel(property))
            }
            // The next input may lack the field, or have nulls in it.
            decision.makeOptional()
            for member in decision.embedded {
                classes += InferredClass.classes(
                    member.evidence, named: member.className, declared: declared,
                    names: FieldNames(), taken: &taken, isEmbedded: true)
            }
            fields.append(
                Field(
                    name: field,
                    property: ClassDefinition.Property(
                        name: property, type: decision.type, display: decision.display,
                        targetName: decision.targetName),
                    reason: decision.reason,
                    nulls: evidence.fields[index].nulls + evidence.count - evidence.counts[index],
                    respelling: decision.respelling))
        }
        classes.append(
            InferredClass(
                name: name, fields: fields, isEmbedded: isEmbedded, rowCount: evidence.count))
        return classes
    }

    /// Returns the class for the objects of both classes; each property gets a type that has the
    /// values of both.
    package func merged(with other: InferredClass) -> InferredClass {
        var fields = fields
        for field in other.fields {
            let name = field.property.name
            guard let index = fields.firstIndex(where: { $0.property.name == name }) else {
                fields.append(field)
                continue
            }
            fields[index] = fields[index].merged(with: field)
        }
        return InferredClass(
            name: name, fields: fields, isEmbedded: isEmbedded, rowCount: rowCount + other.rowCount)
    }

    /// Returns the unknown classes; of embedded classes, only those that new properties use.
    ///
    /// - Parameters:
    ///   - classes: the classes, each after the classes that it embeds.
    ///   - isKnown: whether a class is known, or only this property of it.
    package static func new(
        _ classes: [InferredClass], isKnown: (_ className: String, _ property: String?) -> Bool
    ) -> [InferredClass] {
        var needed: TextSet = []
        for inferred in classes.reversed() {
            let isClassKnown = isKnown(inferred.name, nil)
            guard isClassKnown || !inferred.isEmbedded || needed.contains(inferred.name) else {
                continue
            }
            for field in inferred.fields {
                if isClassKnown, isKnown(inferred.name, field.property.name) { continue }
                if let target = field.property.targetName { needed.insert(target) }
            }
        }
        return classes.filter { inferred in
            !isKnown(inferred.name, nil)
                && (!inferred.isEmbedded || needed.contains(inferred.name))
        }
    }

    /// Converts `home address` to `HomeAddress`.
    static func camel(_ name: String) -> String {
        name.split { !$0.isLetter && !$0.isNumber }
            .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    package func definition(key: String?) -> ClassDefinition {
        let key = key.flatMap { key in fields.contains { $0.property.name == key } ? key : nil }
        return ClassDefinition(
            name: name,
            properties: fields.map { field in
                guard field.property.name == key else { return field.property }
                // A key cannot be nil: the first object without one is an error with its position.
                let type = field.property.type
                return ClassDefinition.Property(
                    name: field.property.name,
                    type: PropertyType(type.base, integerWidth: type.integerWidth),
                    display: field.property.display)
            }, keyName: key, isEmbedded: isEmbedded)
    }
}

extension InferredClass.Field {
    fileprivate func merged(with other: Self) -> Self {
        let (type, otherType) = (property.type, other.property.type)
        let isSame =
            type.base == otherType.base && type.container == otherType.container
            && property.targetName == other.property.targetName
        let numbers: Set<ValueTag> = [.int, .double]
        let areNumbers =
            type.container == .single && otherType.container == .single
            && numbers.isSuperset(of: [type.base, otherType.base])
        let isListed = type.container != .single && otherType.container == type.container
        let base: ValueTag = isSame ? type.base : areNumbers ? .double : .any
        let hasContainer = isSame || isListed
        return InferredClass.Field(
            name: name,
            property: ClassDefinition.Property(
                name: property.name,
                type: PropertyType(
                    base, isOptional: isSame ? type.isOptional || otherType.isOptional : true,
                    container: hasContainer ? type.container : .single,
                    integerWidth: isSame ? type.integerWidth : .bits64),
                display: isSame && property.display == other.property.display
                    ? property.display : nil,
                targetName: isSame ? property.targetName : nil),
            reason: isSame ? reason : areNumbers ? "numbers" : "values of several kinds",
            nulls: nulls + other.nulls, respelling: respelling ?? other.respelling)
    }
}

/// The type of a field, and the reason for it.
struct TypeDecision {
    private(set) var type: PropertyType
    private(set) var display: DisplayForm?
    private(set) var targetName: String?
    private(set) var reason: String
    /// The embedded objects of the field, with their class.
    private(set) var embedded: [(className: String, evidence: ObjectEvidence)] = []
    /// A value that an export prints differently.
    private(set) var respelling: ColumnDecision.Respelling?

    /// - Parameter className: names the class of embedded objects in the field.
    init(_ evidence: FieldEvidence, className: () -> String) {
        type = PropertyType(.string)
        reason = "no values"
        decide(evidence, className)
        if evidence.nulls > 0 { makeOptional() }
    }

    /// A collection cannot be nil, and a link always can.
    mutating func makeOptional() {
        guard type.container == .single, ![.link, .any].contains(type.base) else { return }
        type = PropertyType(type.base, isOptional: true, integerWidth: type.integerWidth)
    }

    private mutating func decide(_ evidence: FieldEvidence, _ className: () -> String) {
        switch evidence.kinds {
        case []: type = PropertyType(.string, isOptional: true)
        case .bool: set(.bool, "true and false")
        case .int: set(.int, "whole numbers")
        case .double: set(.double, "numbers")
        case [.int, .double] where evidence.isExact: set(.double, "numbers")
        case .large, [.int, .large]: set(.decimal128, "whole numbers beyond 64 bits")
        case .string: decide(text: evidence)
        case .array: decide(elements: evidence.elements, className)
        case .object: decide(object: evidence.members, className)
        case .tagged: decide(references: evidence)
        default: any("values of several kinds")
        }
    }

    private mutating func set(_ base: ValueTag, _ reason: String) {
        type = PropertyType(base)
        self.reason = reason
    }

    private mutating func any(_ reason: String) {
        type = PropertyType(.any, isOptional: true)
        self.reason = reason
    }

    private mutating func decide(text evidence: FieldEvidence) {
        if evidence.isUUID { return set(.uuid, "UUIDs") }
        let column = ColumnDecision(name: "", evidence.text)
        guard column.type.base == .date else {
            // The value that kept a column of times from being one.
            let isOdd = evidence.text.followsTimes
            return set(.string, isOdd ? "texts: \(evidence.text.reason)" : "texts")
        }
        set(.date, column.reason)
        display = column.display
        respelling = column.respelling
    }

    private mutating func decide(object evidence: ObjectEvidence?, _ className: () -> String) {
        guard let evidence, !evidence.names.isEmpty || evidence.entries != nil else {
            type = PropertyType(.any, container: .map)
            reason = "empty objects"
            return
        }
        if let values = evidence.values { return decide(values: values, className) }
        let className = className()
        type = PropertyType(.link, isOptional: true)
        targetName = className
        embedded = [(className, evidence)]
        reason = "objects"
    }

    private mutating func decide(values: FieldEvidence, _ className: () -> String) {
        let value = TypeDecision(values, className: className)
        if value.type.container == .single, values.values > 0 {
            contain(value, .map)
        } else {
            type = PropertyType(.any, isOptional: true, container: .map)
        }
        reason = "objects with many names, as maps of " + value.reason
    }

    /// Becomes a collection of values of the decided type.
    private mutating func contain(_ element: TypeDecision, _ container: PropertyType.Container) {
        let base = element.type
        type = PropertyType(
            base.base,
            isOptional: base.base == .any
                || (base.isOptional && (base.base != .link || container == .map)),
            container: container, integerWidth: base.integerWidth)
        targetName = element.targetName
        embedded = element.embedded
        display = element.display
        respelling = element.respelling
    }

    private mutating func decide(references evidence: FieldEvidence) {
        guard evidence.references.count == 1, let name = evidence.references.first, !name.isEmpty
        else { return any("tagged values") }
        type = PropertyType(.link, isOptional: true)
        targetName = name
        reason = "links"
    }

    private mutating func decide(elements: FieldEvidence?, _ className: () -> String) {
        guard let elements, elements.values > 0 else {
            type = PropertyType(.any, isOptional: true, container: .list)
            reason = "empty arrays"
            return
        }
        let element = TypeDecision(elements, className: className)
        let base = element.type
        let isNested = base.container != .single
        // A list cannot contain null links.
        if isNested || (base.base == .link && elements.nulls > 0) {
            type = PropertyType(.any, isOptional: true, container: .list)
            reason = isNested ? "arrays in arrays" : "arrays with empty links"
            return
        }
        contain(element, .list)
        reason = "arrays of " + element.reason
    }
}
