import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// The migration of a file to the model of a configuration, in one transaction.
struct MigrationRun {
    let file: RealmFile
    let model: ModelSchema

    /// Migrates the file, unless another process has done so meanwhile.
    ///
    /// - Throws: ``StoreError``, or an error of the migration block. The file is then unchanged.
    func run() throws {
        let transaction = try file.beginWaiting()
        defer { transaction.rollback() }
        try model.checkVersion(of: transaction.base)
        guard model.isNewerModel(than: transaction.base) else { return }
        transaction.recordsRewrites = false
        transaction.rebuildsLinkIndexes = true
        let oldVersion = transaction.base.modelVersion ?? 0
        try migrate(transaction, from: oldVersion)
        let version = try transaction.commit()
        Logger.log(
            .detail,
            "migrated \(file.path) from schema version \(oldVersion) to \(model.version), in "
                + "version \(version.rawValue)")
    }

    private func migrate(_ transaction: WriteTransaction, from oldVersion: UInt64) throws {
        let progress = MigrationProgress.Reporter(report: file.configuration.migrationProgress)
        let plan = MigrationPlan(model, transaction.schema, progress)
        var problems = try plan.prepare(transaction)
        if problems.isEmpty, let block = file.configuration.migrationBlock {
            problems = try run(block, plan, transaction, oldVersion)
        }
        if problems.isEmpty { problems = try plan.finish(transaction) }
        guard problems.isEmpty else {
            throw StoreError(
                .invalidSchema, path: file.path,
                detail:
                    "the migration from schema version \(oldVersion) to \(model.version) failed, "
                    + "and the file is unchanged:" + ModelSchema.list(problems))
        }
    }

    /// Calls the migration block.
    ///
    /// - Returns: The violations of rules that the block committed.
    private func run(
        _ block: MigrationBlock, _ plan: MigrationPlan, _ transaction: WriteTransaction,
        _ oldVersion: UInt64
    ) throws -> [String] {
        let newest = try file.database.snapshot()
        let old = RealmInstance(
            file, .thread(.current), DatabaseSnapshot(transaction.base, now: newest.now))
        let new = RealmInstance(file, .thread(.current), newest)
        for instance in [old, new] { instance.isOfMigration = true }
        try new.beginMigration(InstanceMigration(transaction, plan))
        defer {
            new.endMigration()
            old.endMigration()
        }
        let migration = Migration(
            old: old, new: new, plan: plan, progress: plan.report)
        defer { migration.end() }
        try block(migration, oldVersion)
        try new.finishMigration()
        if let failure = migration.failure { throw failure }
        return migration.problems
    }
}
