package import FirnValues

// Signatures that other layers build on until the real ones stand here.

extension Table {
    package func row(forKey key: Value) throws(StoreError) -> RowID? {
        preconditionFailure("contract")
    }

    /// All values of an object in the order of the schema; `nil` if there is no such object.
    package func values(of row: RowID) throws(StoreError) -> [Value]? {
        preconditionFailure("contract")
    }
}

extension RowGroupView {
    package func collection(_ property: PropertySchema) throws(StoreError) -> CollectionColumn {
        preconditionFailure("contract")
    }
}

extension Snapshot {
    /// - Parameter targets: ascending.
    package func sources(
        of targets: [RowID], in target: ClassID, through property: PropertySchema,
        of source: ClassSchema
    ) throws(StoreError) -> LinkSources {
        preconditionFailure("contract")
    }
}

extension WriteTransaction {
    @discardableResult
    package func addClasses(
        _ definitions: [ClassDefinition]
    ) throws(StoreError) -> [ClassSchema] { preconditionFailure("contract") }
    package func renameClass(_ id: ClassID, to name: String) throws(StoreError) {
        preconditionFailure("contract")
    }
    package func removeClass(_ id: ClassID) throws(StoreError) { preconditionFailure("contract") }
    @discardableResult
    package func addProperty(
        _ definition: ClassDefinition.Property, to classID: ClassID, filling: Value? = nil
    ) throws(StoreError) -> PropertySchema { preconditionFailure("contract") }
    package func renameProperty(
        _ id: PropertyID, of classID: ClassID, to name: String
    ) throws(StoreError) { preconditionFailure("contract") }
    package func removeProperty(_ id: PropertyID, of classID: ClassID) throws(StoreError) {
        preconditionFailure("contract")
    }
    /// Gives a property another type; `convert` makes the new value of each old one, or throws
    /// what is wrong with it.
    package func retypeProperty(
        _ id: PropertyID, of classID: ClassID, to definition: ClassDefinition.Property,
        convert: (Value) throws(StoreError) -> Value
    ) throws(StoreError) { preconditionFailure("contract") }
    package func setKey(_ id: PropertyID?, of classID: ClassID) throws(StoreError) {
        preconditionFailure("contract")
    }
    package func addInverse(
        _ inverse: ClassDefinition.Inverse, to classID: ClassID
    ) throws(StoreError) { preconditionFailure("contract") }
    package func removeInverse(_ name: String, of classID: ClassID) throws(StoreError) {
        preconditionFailure("contract")
    }

    /// Adds an object with a given identity, which must not be below the next one of the class.
    @discardableResult
    package func create(
        in classID: ClassID, _ values: [Value], at row: RowID
    ) throws(StoreError) -> RowID { preconditionFailure("contract") }
    package func delete(_ rows: [RowID], in classID: ClassID) throws(StoreError) {
        preconditionFailure("contract")
    }
    package func edit(
        _ property: PropertyID, of row: RowID, in classID: ClassID, _ edit: CollectionEdit
    ) throws(StoreError) { preconditionFailure("contract") }
    /// The object with that key, as the transaction has it.
    package func row(forKey key: Value, in classID: ClassID) throws(StoreError) -> RowID? {
        preconditionFailure("contract")
    }
    /// All values of an object as the transaction has it; `nil` if there is none.
    package func values(of row: RowID, in classID: ClassID) throws(StoreError) -> [Value]? {
        preconditionFailure("contract")
    }
    /// Makes or changes the object with the key that the fields name; the one way that upserts go.
    package func put(
        _ fields: [(property: PropertyID, value: Value)], in classID: ClassID, policy: PutPolicy
    ) throws(StoreError) -> PutOutcome { preconditionFailure("contract") }
}
