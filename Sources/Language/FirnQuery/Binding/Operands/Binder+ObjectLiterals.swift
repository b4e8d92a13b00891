import FirnEngine
import FirnSyntax
import FirnValues

extension Binder {
    /// Binds `obj("Class", key)` or `obj("Class", "property", value)` to an object.
    func object(
        _ arguments: [ListElement], _ range: SourceRange
    ) throws(QueryError) -> Operand {
        let (target, property, argument) = try identification(arguments, range)
        let what = property.id == target.key ? "the key" : property.name
        if case .single = argument.operand {
            throw typeError(
                "\(what) of obj is a constant here", argument.range,
                hint: "only set computes it for each object; use join here")
        }
        let value = try value(argument.operand, argument.range, for: property.type)
        guard value != .null else {
            throw typeError("\(what) of an object is not null here", argument.range)
        }
        let operand = Computed(.column(.property(property)))
        return .object(
            BoundObject(
                target: target, property: property,
                value: try converted(value, for: operand, argument.range)))
    }

    /// Returns the class of `obj(...)`, the property that identifies its objects, and the argument
    /// with the value.
    private func identification(
        _ arguments: [ListElement], _ range: SourceRange
    ) throws(QueryError) -> (ClassSchema, PropertySchema, ListElement) {
        guard [2, 3].contains(arguments.count), let argument = arguments.last,
            case .string(let name) = try value(arguments[0].operand, arguments[0].range)
        else {
            throw typeError(
                "obj takes a class and a key, or a class, a unique property and its value", range,
                hint: "such as obj(\"Class\", 1) or obj(\"Class\", \"property\", 1)")
        }
        guard let target = context.schema.classNamed(name) else {
            throw unknownClass(name, arguments[0].range)
        }
        if arguments.count == 3 {
            return (target, try uniqueProperty(arguments[1], of: target), argument)
        }
        guard let key = target.keyProperty else {
            let unique = target.properties.first { target.isUnique($0) }
            throw typeError(
                "class \(target.name) has no key", arguments[0].range,
                hint: unique.map {
                    "name its unique property: obj(\(Canonical.literal(.string(name))), "
                        + "\(Canonical.literal(.string($0.name))), ...)"
                } ?? "compare @id with a number")
        }
        return (target, key, argument)
    }

    /// Returns the property that the second of three arguments of `obj` names.
    private func uniqueProperty(
        _ argument: ListElement, of target: ClassSchema
    ) throws(QueryError) -> PropertySchema {
        guard case .string(let name) = try value(argument.operand, argument.range) else {
            throw typeError(
                "the second of three arguments of obj is the name of a property", argument.range,
                hint: "such as obj(\"Class\", \"property\", 1)")
        }
        guard let property = target.propertyNamed(name) else {
            throw unknownProperty(name, in: target, argument.range, isFirst: false, isWhole: false)
        }
        guard target.isUnique(property) else {
            throw typeError(
                "\(target.name).\(name) is neither the key nor unique, so that it names no single object",
                argument.range,
                hint: "use a condition or join; or: firn alter FILE 'unique \(target.name).\(name)'"
            )
        }
        return property
    }

    /// Binds `obj("Class", key)` with a key that is computed for each object, as a lookup of the
    /// objects by their keys.
    ///
    /// - Returns: `nil` if the expression is anything else.
    func computedObject(_ expression: Expression) throws(QueryError) -> Computed? {
        guard case .call(let name, let parts, let range) = expression, name.lowercased() == "obj",
            [2, 3].contains(parts.count)
        else { return nil }
        var arguments: [ListElement] = []
        for part in parts {
            arguments.append(ListElement(operand: try operand(part), range: part.range))
        }
        guard case .single(let value)? = arguments.last?.operand else { return nil }
        let (target, key, argument) = try identification(arguments, range)
        guard value.type.base != .link, value.type.container == .single,
            value.type.isComparable(to: key.type)
        else {
            throw typeError(
                "\(key.id == target.key ? "the key" : key.name) of \(target.name) is "
                    + "\(typeName(key.type)), not \(describe(value))", argument.range)
        }
        let join = BoundJoin(
            name: "obj", target: target, findsAll: false, rowKeys: [value.expression],
            targetKeys: [.column(.property(key))])
        return try limited(
            Computed(
                .path(
                    BoundPath(
                        root: classSchema, steps: [.lookup(join)], terminal: .object,
                        type: PropertyType(.link, isOptional: true, target: target.id),
                        name: BoundObject.text(target, key, "\(value.expression)")
                    )), of: [value]), range)
    }

    /// Binds `link(class, id)`, the form of a link that was passed as an argument.
    func link(
        _ arguments: [ListElement], _ range: SourceRange
    ) throws(QueryError) -> Operand {
        guard arguments.count == 2,
            case .int(let row) = try value(arguments[1].operand, arguments[1].range), row >= 0
        else { throw typeError("link takes a class and an id", range) }
        let target: ClassSchema?
        switch try value(arguments[0].operand, arguments[0].range) {
        case .string(let name): target = context.schema.classNamed(name)
        case .int(let number):
            target = UInt32(exactly: number).flatMap {
                context.schema[ClassID($0)]
            }
        default: target = nil
        }
        guard let target else {
            throw typeError("link needs a class of this database", arguments[0].range)
        }
        return .constant(
            .link(ObjectReference(classID: target.id, rowID: RowID(UInt64(row)))))
    }
}
