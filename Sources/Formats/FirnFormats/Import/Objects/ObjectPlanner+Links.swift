package import FirnEngine
package import FirnText
import FirnValues

extension ObjectPlanner {
    /// Resolves the links of a value.
    func plan(_ value: JSONValue, _ type: PropertyType) throws(RecordError) -> ValuePlan {
        switch value {
        case .value(let value): return .value(value)
        case .link(let link): return try plan(link, type)
        case .list(let elements): return .list(try plans(elements, type))
        case .set(let elements): return .set(try plans(elements, type))
        case .map(let entries):
            var plans: [(key: String, value: ValuePlan)] = []
            for (key, value) in entries {
                do { plans.append((key, try plan(value, type))) } catch {
                    throw error.adding { $0.inside(entry: key) }
                }
            }
            return .map(plans)
        }
    }

    private func plans(
        _ elements: [JSONValue], _ type: PropertyType
    ) throws(RecordError) -> [ValuePlan] {
        var plans: [ValuePlan] = []
        plans.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            do { plans.append(try plan(element, type)) } catch {
                throw error.adding { $0.inside(element: index) }
            }
        }
        return plans
    }

    private func plan(_ link: JSONLink, _ type: PropertyType) throws(RecordError) -> ValuePlan {
        let tree = link.tree
        let target: ClassSchema
        if case .reference(let name, _) = link.form {
            target = try named(name, tree, type)
        } else if case .row(let name, _) = link.form {
            target = try named(name, tree, type)
        } else if let id = type.target, let schema = transaction.schema[id] {
            target = schema
        } else {
            throw .rejected(RecordMistake(.writeType, "a link without a class", tree))
        }
        switch link.form {
        case .object(let tree): return .object(try nested(tree, of: target))
        case _ where target.isEmbedded:
            throw .rejected(
                RecordMistake(
                    .writeEmbedded,
                    "an object of \(target.name) is written as a whole, not as a link", tree))
        case .key(let id), .reference(_, let id):
            return try lookUp(try identity(id, of: target), tree)
        case .row(_, let row):
            return try lookUp(ObjectName(classID: target.id, identity: .row(row)), tree)
        }
    }

    /// Returns the class of a reference.
    private func named(
        _ name: String, _ tree: JSONTree, _ type: PropertyType
    ) throws(RecordError) -> ClassSchema {
        guard let schema = transaction.schema.classNamed(name) else {
            throw .rejected(
                RecordMistake(
                    .writeUnknownClass, unknown: name, what: "class",
                    among: transaction.schema.classes.map(\.name), at: tree.position))
        }
        if type.base == .link, type.target != schema.id {
            throw .rejected(
                RecordMistake(
                    .writeType,
                    "\(transaction.schema.typeName(type)) does not link to \(schema.name)", tree))
        }
        return schema
    }

    /// Returns the identity of an object in a text: its key, or its `$id` if the class has no key.
    package func identity(_ tree: JSONTree, of schema: ClassSchema) throws(RecordError)
        -> ObjectName
    {
        do throws(JSONMistake) {
            guard let key = schema.keyProperty else {
                return ObjectName(
                    classID: schema.id, identity: .row(try JSONValueReader.rowID(tree)))
            }
            guard case .value(let value) = try JSONValueReader.read(tree, as: key.type) else {
                throw JSONMistake(.type, "not a key of \(schema.name)", tree)
            }
            return ObjectName(classID: schema.id, identity: .key(value))
        } catch { throw .rejected(RecordMistake(error)) }
    }

    private func lookUp(_ name: ObjectName, _ tree: JSONTree) throws(RecordError) -> ValuePlan {
        guard let row = try find(name) else {
            return .pending(PendingName(name: name, position: tree.position))
        }
        return .value(.link(ObjectReference(classID: name.classID, rowID: row)))
    }
}
