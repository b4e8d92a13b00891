import FirnEngine
import FirnValues

/// A change to the file that gives it the classes of a newer model.
///
///     configuration.schemaVersion = 2
///     configuration.migrationBlock = { migration, oldVersion in
///         guard oldVersion < 2 else { return }
///         migration.enumerateObjects(ofType: "Person") { old, new in
///             new?["name"] = "\(old?["first"] ?? "") \(old?["last"] ?? "")"
///         }
///     }
///
/// A migration is one write transaction. The new classes and properties exist before the block is
/// called. Properties that the new model lacks are removed after it, and primary keys and embedded
/// objects are checked. If the block throws an error, or if the result breaks a rule, the file is
/// unchanged and opening the realm throws the error.
///
/// A migration can be used only in its block.
public final class Migration {
    /// The realm with the objects as they were.
    let old: RealmInstance
    /// The realm with the objects as they will be.
    let new: RealmInstance
    let plan: MigrationPlan
    let progress: MigrationProgress.Reporter
    /// The violations of rules so far, one sentence each.
    private(set) var problems: [String] = []
    /// The first error of the store, after which nothing can be committed.
    private(set) var failure: StoreError?
    /// Whether a block currently receives objects, so that their properties must not be renamed.
    var isEnumerating = false
    private var isOpen = true

    init(
        old: RealmInstance, new: RealmInstance, plan: MigrationPlan,
        progress: MigrationProgress.Reporter
    ) {
        self.old = old
        self.new = new
        self.plan = plan
        self.progress = progress
    }

    /// Stops the program if the block has returned or if the caller is on another thread.
    func checkUse() {
        guard isOpen else { misuse("a migration cannot be used after its block has returned") }
        new.checkConfinement()
    }

    /// Records a violation of a rule, which makes the migration fail after its block.
    func note(_ problem: String) { problems.append(problem) }

    /// Runs a step that may fail.
    func attempt(_ body: () throws(StoreError) -> Void) {
        guard failure == nil else { return }
        do { try body() } catch { failure = error }
    }

    func end() { isOpen = false }
}

/// A closure that gives the objects of a file the values that a newer model expects.
///
/// An error that it throws is thrown by opening the realm, and the file is unchanged.
///
/// - Parameters:
///   - migration: The objects and classes before and after the migration.
///   - oldSchemaVersion: The version of the model that last used the file.
public typealias MigrationBlock =
    @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) throws -> Void

/// A closure that receives the old and the new form of each object in a migration.
///
/// - Parameters:
///   - oldObject: The object as it was, for reading only, or `nil` for an object of a new class.
///   - newObject: The object as it will be, or `nil` if the model lacks its class.
public typealias MigrationObjectEnumerateBlock =
    (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) -> Void
