import Firn
import FirnTesting
import Foundation
import Testing

/// `firn schema -f swift` prints the model of a program: it is compiled, and opens the file.
@Suite("Printed model classes")
struct SwiftModelTests {
    /// The modules of the build, and the objects to link programs with.
    private struct Build {
        let folder: URL
        let compiler: String

        init() throws {
            folder = URL(fileURLWithPath: try builtExecutable(named: "firn-kennel"))
                .deletingLastPathComponent()
            let places = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            let compilers = places.map { "\($0)/swiftc" }
            compiler = try #require(
                compilers.first { FileManager.default.isExecutableFile(atPath: $0) },
                "swiftc is where swift test is")
        }

        /// The objects of Firn and its dependencies, linked as in a program of a user.
        func objects() throws -> [String] {
            let list = folder.appendingPathComponent("firn-kennel.product/Objects.LinkFileList")
            return try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
                .map { $0.trimmingCharacters(in: ["'", "\""]) }
                .filter { !$0.contains("firn_kennel.build") && $0.hasSuffix(".o") }
        }

        func compile(_ sources: [String], to program: String) throws -> CommandResult {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../../Sources/Core").standardizedFileURL.path
            let maps = [
                "\(folder.path)/CPlatform.build/module.modulemap", "\(root)/CLZ4/module.modulemap",
            ]
            var environment = CommandRunner.plainEnvironment
            environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
            environment["HOME"] = ProcessInfo.processInfo.environment["HOME"]
            let runner = CommandRunner(compiler, environment: environment, timeoutSeconds: 300)
            return try runner.run(
                ["-o", program, "-module-name", "printed", "-I", "\(folder.path)/Modules"]
                    + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] } + sources
                    + (try objects()) + ["-llz4"], input: "")
        }
    }

    @Test("Printed model classes compile, and open the file that they describe")
    func compile() throws {
        let shop = try Shop()
        do {
            let realm = try Realm(configuration: shop.configuration)
            try realm.write {
                let article = Article(
                    value: [
                        "code": "a", "price": Decimal128("12.50"), "small": 5,
                    ] as [String: Any])
                article.notes.append(ArticleNote(value: ["text": "one"]))
                article.maker = Maker(value: ["name": "Ann"])
                article.sizes["L"] = 3
                realm.add(article)
            }
        }
        // Names with another meaning in Swift or in the object API.
        let altered = try shop.run(
            "alter", "FILE", "add Realm", "add Realm.description Int = 7", "add Realm.class Int?",
            "add Maker.realm List<Realm>", "-q")
        try #require(altered.status == 0, "\(altered)")
        let models = try shop.run("schema", "FILE", "-f", "swift")
        try #require(models.status == 0, "\(models)")
        let sources = ["Models.swift", "main.swift"].map { shop.folder($0) }
        try models.outputText.write(toFile: sources[0], atomically: true, encoding: .utf8)
        try """
        import Firn
        import Foundation

        var configuration = Realm.Configuration()
        configuration.fileURL = URL(fileURLWithPath: CommandLine.arguments[1])
        configuration.readOnly = true
        let realm = try Realm(configuration: configuration)
        let article = realm.object(ofType: Article.self, forPrimaryKey: "a")!
        print(article.price, article.small, article.notes[0].text, article.sizes["L"]!)
        print(realm.objects(Maker.self)[0].articles.count, realm.objects(Realm_2.self).count)

        """.write(toFile: sources[1], atomically: true, encoding: .utf8)
        let program = shop.folder("printed")
        let compiled = try Build().compile(sources, to: program)
        try #require(compiled.status == 0, "\(compiled)\n\(models.outputText)")
        let run = try CommandRunner(program).run([shop.path], input: "")
        #expect(run.outputText == "12.50 5 one 3\n1 0\n", "\(run)")
    }
}
