import FirnEngine
import FirnFormats
import FirnQuery
import FirnSyntax
import FirnValues

/// Adding and dropping indexes.
extension SchemaChangeRun {
    func addIndex(_ request: IndexRequest, _ isUnique: Bool) throws(CommandFailure) {
        let owner = try owner(of: request)
        do {
            try transaction.addIndex(request.definition(isUnique: isUnique), to: owner.id)
        } catch {
            guard case .diagnostic(var diagnostic) = CommandFailure(error),
                error.code == .duplicateKey
            else { throw CommandFailure(error) }
            diagnostic.remedy =
                "these are all of them: firn query \(ShellWord.quoted(file)) "
                + ShellWord.quoted(duplicates(request, owner))
            throw .diagnostic(diagnostic)
        }
    }

    func dropIndex(_ request: IndexRequest) throws(CommandFailure) {
        let owner = try owner(of: request)
        let properties = request.propertyNames.compactMap { owner.propertyNamed($0)?.id }
        let found = owner.indexes.filter { index in
            index.properties == properties
                && index.options.contains(.caseInsensitive)
                    == request.options.contains(.caseInsensitive)
        }
        guard !found.isEmpty else {
            var diagnostic = Diagnostic(
                .writeUnknownProperty,
                "there is no index \(SafeText.escaping(request.text))")
            diagnostic.file = file
            let names = owner.indexes.map { SafeText.escaping(owner.name(of: $0)) }
            diagnostic.details = [
                names.isEmpty
                    ? "\(SafeText.escaping(owner.name)) has no index"
                    : "indexes: \(names.joined(separator: ", "))"
            ]
            throw .diagnostic(diagnostic)
        }
        for index in found {
            try CommandFailure.converting(transaction.removeIndex(index, of: owner.id))
        }
    }

    /// Returns the class of an index, whose properties exist.
    private func owner(of request: IndexRequest) throws(CommandFailure) -> ClassSchema {
        let owner = try schema.altered(request.className, in: file)
        for name in request.propertyNames {
            _ = try schema.altered(.init(className: request.className, name: name), in: file)
        }
        return owner
    }

    /// Returns the query that finds the values that several objects have.
    private func duplicates(_ request: IndexRequest, _ owner: ClassSchema) -> String {
        let names = request.propertyNames.map { Canonical.name($0) }
        return "\(Canonical.name(owner.name)) | group(\(names.joined(separator: ", ")); n = @count)"
            + " | n > 1"
    }
}
