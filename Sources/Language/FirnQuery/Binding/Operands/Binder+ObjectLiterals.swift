import FirnEngine
import FirnValues

extension Binder {
    /// Binds `obj("Class", key)` to an object.
    func object(
        _ arguments: [ListElement], _ range: SourceRange
    ) throws(QueryError) -> Operand {
        let (target, key) = try keyedClass(arguments, range)
        if case .single = arguments[1].operand {
            throw typeError(
                "the key of obj is a constant here", arguments[1].range,
                hint: "only set computes it for each object; use join here")
        }
        let value = try value(arguments[1].operand, arguments[1].range, for: key.type)
        guard value != .null else {
            throw typeError("the key of an object is not null here", arguments[1].range)
        }
        let operand = Computed(.column(.property(key)))
        return .object(
            target, key: try converted(value, for: operand, arguments[1].range))
    }

    /// Returns the class of `obj("Class", key)`, and its key property.
    private func keyedClass(
        _ arguments: [ListElement], _ range: SourceRange
    ) throws(QueryError) -> (ClassSchema, PropertySchema) {
        guard arguments.count == 2,
            case .string(let name) = try value(arguments[0].operand, arguments[0].range)
        else {
            throw typeError(
                "obj takes a class and a key", range, hint: "such as obj(\"Class\", 1)")
        }
        guard let target = context.schema.classNamed(name) else {
            throw unknownClass(name, arguments[0].range)
        }
        guard let key = target.keyProperty else {
            throw typeError(
                "class \(target.name) has no key", arguments[0].range,
                hint: "compare @id with a number")
        }
        return (target, key)
    }

    /// Binds `obj("Class", key)` with a key that is computed for each object, as a lookup of the
    /// objects by their keys.
    ///
    /// - Returns: `nil` if the expression is anything else.
    func computedObject(_ expression: Expression) throws(QueryError) -> Computed? {
        guard case .call(let name, let parts, let range) = expression, name.lowercased() == "obj",
            parts.count == 2
        else { return nil }
        var arguments: [ListElement] = []
        for part in parts {
            arguments.append(ListElement(operand: try operand(part), range: part.range))
        }
        guard case .single(let value) = arguments[1].operand else { return nil }
        let (target, key) = try keyedClass(arguments, range)
        guard value.type.base != .link, value.type.container == .single,
            value.type.isComparable(to: key.type)
        else {
            throw typeError(
                "the key of \(target.name) is \(typeName(key.type)), not \(describe(value))",
                arguments[1].range)
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
                        name: "obj(\(Canonical.literal(.string(target.name))), \(value.expression))"
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
