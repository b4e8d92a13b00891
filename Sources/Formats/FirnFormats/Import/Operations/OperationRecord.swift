package import FirnEngine
package import FirnText
import FirnValues

/// One line of operations: an operation on one object.
///
///     {"op":"insert","class":"Person","id":7,"object":{...}}     also upsert, update, replace
///     {"op":"delete","class":"Person","id":7}
///     {"op":"edit","class":"Person","id":7,"path":"tags","insert":2,"value":"x"}
package struct OperationRecord {
    package enum Verb {
        case put(PutPolicy)
        case delete
        case edit
    }

    package let verb: Verb
    package let className: String
    let record: ImportRecord

    /// The key of the object, or its `$id`.
    package var id: JSONTree? { record["id"] }

    static let verbs = PutPolicy.allCases.map(\.rawValue) + ["delete", "edit"]

    private static let parts = ["op", "class", "id", "object", "path", "value", "to"]

    /// Returns the error of a record that looks like an operation but is not valid.
    package static func mistake(in record: ImportRecord) -> RecordMistake? {
        guard !record.isTable, case .string? = record["op"]?.content,
            case .string? = record["class"]?.content
        else { return nil }
        do { _ = try OperationRecord(record) } catch { return error }
        let known = parts + EditText.verbs
        guard let member = record.fields.first(where: { !known.contains($0.name) }) else {
            return nil
        }
        var mistake = RecordMistake(
            .inputSyntax, unknown: member.name, what: "operation member", among: known,
            at: member.value.position)
        mistake.remedy = "members: " + known.joined(separator: ", ")
        return mistake
    }

    /// Returns whether a record can only be an operation.
    package static func isOperation(_ record: ImportRecord) -> Bool {
        guard !record.isTable, case .string(let verb)? = record["op"]?.content,
            verbs.contains(verb), case .string? = record["class"]?.content
        else { return false }
        return record.fields.allSatisfy {
            parts.contains($0.name) || EditText.verbs.contains($0.name)
        }
    }

    package init(_ record: ImportRecord) throws(RecordMistake) {
        self.record = record
        guard let op = record["op"], case .string(let name) = op.content else {
            throw RecordMistake(.inputSyntax, "an operation needs \"op\":VERB", at: record.position)
        }
        switch name {
        case "delete": verb = .delete
        case "edit": verb = .edit
        default:
            guard let policy = PutPolicy(rawValue: name) else {
                var mistake = RecordMistake(
                    .inputSyntax, unknown: name, what: "operation",
                    among: OperationRecord.verbs, at: op.position)
                mistake.remedy = "operations: " + OperationRecord.verbs.joined(separator: ", ")
                throw mistake
            }
            verb = .put(policy)
        }
        guard case .string(let className)? = record["class"]?.content else {
            throw RecordMistake(
                .inputSyntax, "an operation needs \"class\":NAME", at: record.position)
        }
        self.className = className
    }

    /// Returns the object of an insert, upsert, update or replace as a record.
    package func object() throws(RecordMistake) -> ImportRecord {
        guard let object = record["object"], case .object(let fields) = object.content else {
            throw RecordMistake(
                .inputSyntax, "the operation needs \"object\":{...}", at: record.position)
        }
        return ImportRecord(
            className: nil, fields: fields, position: object.position, cells: nil)
    }
}
