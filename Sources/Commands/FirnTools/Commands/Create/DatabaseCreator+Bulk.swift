import FirnEngine
import FirnFormats
import FirnValues

extension DatabaseCreator {
    /// Loads all tables of a class.
    func load(_ load: ClassLoad, _ transaction: WriteTransaction) throws(CommandFailure) {
        let schema = try schema(load.className, transaction)
        try bulkLoad(of: schema, load.inputs, transaction) { loader throws(ImportFailure) in
            try fill(loader, load, schema)
        }
    }

    /// Loads the objects of an input on several threads, if it is large.
    ///
    /// - Returns: `false` if the objects are to be loaded as records.
    func loadObjects(
        of input: ImportInput, _ className: String, _ transaction: WriteTransaction
    ) throws(CommandFailure) -> Bool {
        let schema = try schema(className, transaction)
        guard let conversion = ObjectPartConversion(schema),
            let parts = PartsLoad(input, conversion)
        else { return false }
        try bulkLoad(of: schema, [input], transaction) { loader throws(ImportFailure) in
            try parts.load(into: loader) { progress(schema, input, $0) }
        }
        return true
    }

    private func schema(
        _ className: String, _ transaction: WriteTransaction
    ) throws(CommandFailure) -> ClassSchema {
        guard let found = transaction.schema.classNamed(className) else {
            throw failure(
                StoreError(
                    .unknownClass, path: path, detail: "class \(className) no longer exists"))
        }
        return found
    }

    /// Loads a class in bulk.
    ///
    /// - Parameter inputs: the inputs of the class, for errors.
    private func bulkLoad(
        of schema: ClassSchema, _ inputs: [ImportInput], _ transaction: WriteTransaction,
        _ fill: (BulkLoader) throws(ImportFailure) -> Void
    ) throws(CommandFailure) {
        let loader: BulkLoader
        do { loader = try transaction.bulkLoader(for: schema.id) } catch { throw failure(error) }
        do { try fill(loader) } catch {
            // An interruption stops the reader with a separate error.
            try environment.checkSignals()
            switch error {
            case .input(let error): throw CommandFailure(error)
            case .store(let error): throw failure(error)
            }
        }
        do { try loader.finish() } catch {
            guard error.code == .duplicateKey, let duplicate = loader.duplicate else {
                throw failure(error)
            }
            throw DuplicateRows(duplicate).failure(in: inputs, of: schema)
        }
    }

    private func fill(
        _ loader: BulkLoader, _ load: ClassLoad, _ schema: ClassSchema
    ) throws(ImportFailure) {
        let conversion = RowConversion(
            columns: load.columns,
            key: schema.mayKeyBeNull ? nil : schema.key.flatMap { schema.index(of: $0) },
            nullText: options.records.nullText)
        for input in load.inputs {
            if case .table(let form)? = input.rowPositions?.form,
                let parts = PartsLoad(input, TablePartConversion(rows: conversion, form: form))
            {
                try parts.load(into: loader) { progress(schema, input, $0) }
                continue
            }
            let reader: TableReader
            do {
                guard case .table(let format) = input.format else { continue }
                reader = try input.table(format)
            } catch { throw .input(error) }
            _ = try conversion.load(reader, into: loader) { progress(schema, input, $0) }
        }
    }

    /// Shows the progress of a load.
    ///
    /// - Returns: whether to go on.
    private func progress(_ schema: ClassSchema, _ input: ImportInput, _ done: UInt64) -> Bool {
        line.update("writing \(schema.name)", done: done, of: input.size)
        return environment.pendingSignal() == nil
    }
}
