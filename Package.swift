// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target of ours is built with exactly these settings.
var settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]
// Only where this package is developed: the warnings of a later compiler must not stop programs that
// depend on it, and one of the build systems of Swift does not build such a dependency at all.
if Context.environment["FIRN_STRICT"] != nil { settings.append(.treatAllWarnings(as: .error)) }

/// Parses arguments, prints help, man pages and completions for the `firn` command.
let argumentParser: Target.Dependency = .product(
    name: "ArgumentParser", package: "swift-argument-parser")
/// HTTP for `firn serve`, without Foundation; only `FirnServe` knows of it.
let httpServer: [Target.Dependency] = ["NIOCore", "NIOPosix", "NIOHTTP1"].map {
    .product(name: $0, package: "swift-nio")
}
/// `TreeDictionary` is the persistent map under a transaction's overlay.
let hashTrees: Target.Dependency = .product(
    name: "HashTreeCollections", package: "swift-collections")
/// Publishers as of Combine, for systems that do not have it; only `FirnCombine` knows of it.
let openCombine: [Target.Dependency] = ["OpenCombine", "OpenCombineDispatch"].map {
    .product(name: $0, package: "OpenCombine", condition: .when(platforms: [.linux]))
}

let package = Package(
    name: "firn",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "firn", targets: ["firn"]),
        .executable(name: "firn-sync", targets: ["firn-sync"]),
        .executable(name: "firn-serve", targets: ["firn-serve"]),
        .library(name: "Firn", targets: ["Firn"]),
        .library(name: "FirnRealmFiles", targets: ["FirnRealmFiles"]),
        .library(name: "FirnUpstream", targets: ["FirnUpstream"]),
        .library(name: "FirnCombine", targets: ["FirnCombine"]),
        .library(name: "FirnIndexPaths", targets: ["FirnIndexPaths"]),
    ],
    dependencies: [
        // One declaration drives the parser, the help text, the man pages and the completions.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // Persistent hash trees: an overlay shares structure with the snapshots taken of it.
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        // The server of firn serve: sockets and HTTP/1.1, kept by the authors of Swift.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        // Combine is not on Linux: the publishers of FirnCombine are those of OpenCombine there.
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        // liblz4: the block format that pages are compressed with (apt: liblz4-dev).
        .systemLibrary(
            name: "CLZ4", providers: [.apt(["liblz4-dev"]), .brew(["lz4"])]),
        // zlib: exports in gzip; the command alone needs it (apt: zlib1g-dev).
        .systemLibrary(
            name: "CZlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        // libzstd: pages of Parquet and Arrow; the command alone needs it (apt: libzstd-dev).
        .systemLibrary(
            name: "CZstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
        // libsqlite3: its databases are read by the command alone (apt: libsqlite3-dev).
        .systemLibrary(
            name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        // libpq: the connection to PostgreSQL; only replication needs it (apt: libpq-dev).
        .systemLibrary(
            name: "CPostgres", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        // libcrypto: the two algorithms of encrypted Realm files (apt: libssl-dev).
        .target(
            name: "CCrypto",
            linkerSettings: [.linkedLibrary("crypto", .when(platforms: [.linux]))]),
        // The little C that Swift cannot say.
        .target(name: "CPlatform"),
        // GNU readline behind a few functions (apt: libreadline-dev). A static library does not
        // bring the one that it needs itself.
        .target(
            name: "CReadline", dependencies: ["CPlatform"],
            linkerSettings: [
                .linkedLibrary("readline"),
                .linkedLibrary("tinfo", .when(platforms: [.linux])),
            ]),

        .target(name: "FirnValues", swiftSettings: settings),
        .target(
            name: "FirnPlatform", dependencies: ["CPlatform", "FirnValues"],
            swiftSettings: settings),
        .target(name: "FirnCodec", dependencies: ["CLZ4", "FirnValues"], swiftSettings: settings),
        // Parquet and Arrow files; the command alone links it.
        .target(
            name: "FirnColumnar",
            dependencies: ["CLZ4", "CZlib", "CZstd", "FirnPlatform", "FirnValues"],
            swiftSettings: settings),
        .target(
            name: "FirnEngine",
            dependencies: ["FirnCodec", "FirnPlatform", "FirnValues", hashTrees],
            swiftSettings: settings),
        .target(
            name: "RealmImport",
            dependencies: ["RealmFile", "FirnEngine", "FirnCodec", "FirnPlatform", "FirnValues"],
            swiftSettings: settings),
        // The language as text: lexer, parser, syntax tree; knows neither schemas nor files.
        .target(name: "FirnSyntax", dependencies: ["FirnValues"], swiftSettings: settings),
        .target(
            name: "FirnQuery",
            dependencies: ["FirnSyntax", "FirnEngine", "FirnCodec", "FirnPlatform", "FirnValues"],
            swiftSettings: settings),
        .target(
            name: "Firn",
            dependencies: ["FirnQuery", "FirnSyntax", "FirnEngine", "FirnPlatform", "FirnValues"],
            swiftSettings: settings),
        // Replication with PostgreSQL; nothing but firn-sync and FirnUpstream links it.
        .target(
            name: "FirnReplication",
            dependencies: [
                "CPostgres", "FirnText", "FirnQuery", "FirnSyntax", "FirnEngine", "FirnCodec",
                "FirnPlatform",
                "FirnValues",
            ],
            swiftSettings: settings),
        // The object API of replication: import FirnUpstream.
        .target(
            name: "FirnUpstream",
            dependencies: [
                "Firn", "FirnReplication", "FirnQuery", "FirnEngine", "FirnPlatform", "FirnValues",
            ],
            swiftSettings: settings),
        // Reads the files of Realm, so that their data can be imported; knows nothing of the engine.
        .target(
            name: "RealmFile", dependencies: ["CCrypto", "FirnPlatform", "FirnValues"],
            swiftSettings: settings),
        // The import of Realm files in the object API; apart from Firn, because it needs libcrypto.
        .target(
            name: "FirnRealmFiles",
            dependencies: [
                "Firn", "RealmImport", "RealmFile", "FirnEngine", "FirnPlatform", "FirnValues",
            ],
            swiftSettings: settings),
        .target(
            name: "FirnCombine",
            dependencies: ["Firn", "FirnPlatform", "FirnValues"] + openCombine,
            swiftSettings: settings),
        // Names for the parts of index paths, which UIKit and AppKit have on Apple's platforms.
        .target(name: "FirnIndexPaths", swiftSettings: settings),
        // Bytes in and out, and JSON; without a C library of its own.
        .target(
            name: "FirnText", dependencies: ["FirnCodec", "FirnPlatform", "FirnValues"],
            swiftSettings: settings),
        // Texts, tables and files as values, and values as those; calls no command.
        .target(
            name: "FirnFormats",
            dependencies: [
                "FirnText", "CZlib", "CZstd", "CSQLite", "FirnColumnar", "FirnQuery", "FirnSyntax",
                "FirnEngine", "FirnCodec",
                "FirnPlatform", "FirnValues",
            ],
            swiftSettings: settings),
        .target(
            name: "FirnTools",
            dependencies: [
                "FirnFormats", "FirnText", "CSQLite", "FirnColumnar", "RealmImport", "RealmFile",
                "FirnQuery",
                "FirnSyntax",
                "FirnEngine", "FirnCodec", "FirnPlatform", "FirnValues", argumentParser,
            ],
            // firn completions prints the files of completions/.
            resources: [.embedInCode("Commands/Completions/Scripts")], swiftSettings: settings),
        // The interactive shell: the only target that knows of a terminal's lines.
        .target(
            name: "FirnShell",
            dependencies: [
                "CReadline", "FirnTools", "FirnFormats", "FirnText", "FirnQuery", "FirnSyntax",
                "FirnEngine",
                "FirnPlatform",
                "FirnValues",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "firn", dependencies: ["FirnShell", "FirnTools"], swiftSettings: settings),

        // Answers HTTP requests with the commands; nothing but firn-serve links it.
        .target(
            name: "FirnServe",
            dependencies: [
                "FirnTools", "FirnFormats", "FirnText", "FirnQuery", "FirnSyntax", "FirnEngine",
                "FirnCodec",
                "FirnPlatform",
                "FirnValues", argumentParser,
            ] + httpServer,
            // The page: no file of it is elsewhere.
            resources: [.embedInCode("Page/Files")], swiftSettings: settings),
        // `firn serve`: apart from firn, which would start more slowly with a server in it.
        .executableTarget(
            name: "firn-serve",
            dependencies: [
                "FirnServe", "FirnTools", "FirnFormats", "FirnPlatform", argumentParser,
            ],
            swiftSettings: settings),

        // `firn sync`: apart from firn, which is static and cannot link libpq.
        .executableTarget(
            name: "firn-sync",
            dependencies: [
                "FirnReplication", "FirnQuery", "FirnEngine", "FirnPlatform", "FirnValues",
                argumentParser,
            ],
            swiftSettings: settings),

        .target(
            name: "FirnTesting",
            dependencies: [
                "CZlib", "RealmFile", "FirnText", "FirnEngine", "FirnCodec", "FirnPlatform",
                "FirnValues",
            ],
            path: "Tests/FirnTesting", swiftSettings: settings),
        .executableTarget(
            name: "firn-bench",
            dependencies: [
                "Firn", "FirnTools", "FirnFormats", "FirnText", "FirnQuery", "FirnSyntax",
                "FirnEngine",
                "FirnCodec",
                "FirnPlatform",
                "FirnValues",
                "FirnTesting", argumentParser,
            ],
            path: "Tests/Benchmarks", swiftSettings: settings),
        .testTarget(
            name: "FirnValuesTests", dependencies: ["FirnValues", "FirnTesting"],
            swiftSettings: settings),
        .testTarget(
            name: "FirnPlatformTests", dependencies: ["FirnPlatform", "FirnTesting"],
            swiftSettings: settings),
        .testTarget(
            name: "RealmFileTests",
            dependencies: [
                "RealmFile", "CCrypto", "FirnPlatform", "FirnValues", "FirnTesting",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "RealmImportTests",
            dependencies: [
                "RealmImport", "RealmFile", "FirnEngine", "FirnPlatform", "FirnValues",
                "FirnTesting",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "FirnRealmFilesTests",
            dependencies: [
                "FirnRealmFiles", "Firn", "FirnEngine", "FirnPlatform", "FirnTesting",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "FirnCodecTests", dependencies: ["FirnCodec", "FirnValues", "FirnTesting"],
            swiftSettings: settings),
        .testTarget(
            name: "FirnColumnarTests",
            dependencies: ["FirnColumnar", "FirnPlatform", "FirnValues", "FirnTesting"],
            swiftSettings: settings),
        .testTarget(
            name: "FirnEngineTests",
            dependencies: ["FirnEngine", "FirnCodec", "FirnPlatform", "FirnValues", "FirnTesting"],
            swiftSettings: settings),
        .testTarget(
            name: "FirnSyntaxTests", dependencies: ["FirnSyntax", "FirnValues", "FirnTesting"],
            swiftSettings: settings),
        .testTarget(
            name: "FirnQueryTests",
            dependencies: [
                "FirnQuery", "FirnSyntax", "FirnEngine", "FirnCodec", "FirnPlatform", "FirnValues",
                "FirnTesting",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "FirnTests",
            dependencies: [
                "Firn", "FirnIndexPaths", "FirnQuery", "FirnSyntax", "FirnEngine", "FirnPlatform",
                "FirnValues",
                "FirnTesting",
            ],
            // RealmOptional is deprecated, and tested nevertheless.
            swiftSettings: settings + [.treatWarning("DeprecatedDeclaration", as: .warning)]),
        .testTarget(
            name: "FirnReplicationTests",
            dependencies: [
                "FirnReplication", "FirnQuery", "FirnSyntax", "FirnEngine", "FirnPlatform",
                "FirnValues",
                "FirnTesting",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "FirnUpstreamTests",
            dependencies: [
                "FirnUpstream", "Firn", "FirnReplication", "FirnPlatform", "FirnTesting",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "FirnCombineTests",
            dependencies: ["FirnCombine", "Firn", "FirnPlatform", "FirnTesting"] + openCombine,
            swiftSettings: settings),
        .testTarget(
            name: "FirnTextTests",
            dependencies: ["FirnText", "FirnPlatform", "FirnValues", "FirnTesting"],
            swiftSettings: settings),
        .testTarget(
            name: "FirnFormatsTests",
            dependencies: [
                "FirnFormats", "FirnText", "FirnQuery", "FirnSyntax", "FirnEngine", "FirnCodec",
                "FirnPlatform",
                "FirnValues",
                "FirnTesting",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "FirnToolsTests",
            dependencies: [
                "FirnTools", "FirnFormats", "FirnText", "FirnQuery", "FirnSyntax", "FirnEngine",
                "FirnPlatform",
                "FirnValues",
                "FirnTesting",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "FirnServeTests",
            dependencies: [
                "FirnServe", "FirnTools", "FirnFormats", "FirnText", "FirnEngine", "FirnPlatform",
                "FirnValues",
                "FirnTesting",
                argumentParser,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "FirnShellTests",
            dependencies: [
                "FirnShell", "FirnTools", "FirnFormats", "FirnText", "FirnQuery", "FirnSyntax",
                "FirnEngine",
                "FirnPlatform",
                "FirnValues",
                "FirnTesting",
            ],
            swiftSettings: settings),
        // What a fuzzer gives arbitrary bytes, and the inputs that are kept of that.
        .target(
            name: "FirnFuzzing",
            dependencies: [
                "FirnServe", "FirnShell", "FirnTools", "FirnFormats", "FirnText", "FirnPlatform",
                "FirnTesting",
            ],
            path: "Tests/Fuzzing", swiftSettings: settings),
        .testTarget(
            name: "FirnFuzzingTests", dependencies: ["FirnFuzzing", "FirnPlatform", "FirnTesting"],
            swiftSettings: settings),
        // One process of many that use a database at the same time and are killed.
        .executableTarget(
            name: "firn-stress-worker",
            dependencies: ["FirnEngine", "FirnPlatform", "FirnValues", "FirnTesting"],
            path: "Tests/Programs/Crew", swiftSettings: settings),
        // The firn command on a machine that kills it, or refuses it something, at one call.
        .executableTarget(
            name: "firn-fault",
            dependencies: ["FirnTools", "FirnFormats", "FirnPlatform", "FirnTesting"],
            path: "Tests/Programs/Trouble", swiftSettings: settings),
        // The program of the tutorial: .ci/checks/transcripts compares it with the page, and runs it.
        .executableTarget(
            name: "firn-tutorial", dependencies: ["Firn", "FirnRealmFiles"],
            path: "Tests/Programs/Tutorial", swiftSettings: settings),
        // Three programs of users: they know nothing of Firn but its object API. No test target depends
        // on them: their classes would be found beside those of the tests.
        .executableTarget(
            name: "firn-kennel", dependencies: ["Firn"], path: "Tests/Programs/Kennel",
            swiftSettings: settings),
        .executableTarget(
            name: "firn-address-book", dependencies: ["Firn"], path: "Tests/Programs/AddressBook",
            swiftSettings: settings),
        .executableTarget(
            name: "firn-contacts", dependencies: ["Firn"], path: "Tests/Programs/Contacts",
            swiftSettings: settings),
        // Runs the real binaries as users do: in pipes, with files, with wrong input, killed.
        .testTarget(
            name: "firnTests",
            dependencies: [
                "firn", "firn-stress-worker", "firn-fault", "Firn", "FirnCodec", "FirnEngine",
                "FirnPlatform", "FirnFormats", "FirnTools", "FirnValues", "FirnTesting",
            ],
            swiftSettings: settings),
    ]
)

// libFuzzer has the main function of this program: nothing else can link it. See .ci/soak/fuzz.
if Context.environment["FIRN_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "firn-fuzz", dependencies: ["FirnFuzzing", "FirnPlatform"],
            path: "Tests/Programs/Fuzz",
            swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]))
}

// The long tests spend their time in these modules. The check before a change lands has them optimized,
// with the asserts left in, which takes longer to build and much less to run.
if Context.environment["FIRN_OPTIMIZED_TESTS"] != nil {
    let optimized: Set = [
        "FirnValues", "FirnPlatform", "FirnCodec", "FirnEngine", "FirnQuery", "FirnTesting",
    ]
    for target in package.targets where target.swiftSettings != nil {
        // Nobody debugs these tests: nothing is made for debuggers.
        target.swiftSettings?.append(.unsafeFlags(["-gnone"]))
        guard optimized.contains(target.name) else { continue }
        target.swiftSettings?.append(
            .unsafeFlags(["-O", "-wmo", "-num-threads", "2", "-assert-config", "Debug"]))
    }
}

// Six rooms under Sources, from the bottom up; the README of each says where to begin. The imports
// between them are checked by the compiler, and their order by .ci/checks/tidy.
let rooms = [
    "Core": ["CLZ4", "CPlatform", "FirnValues", "FirnPlatform", "FirnCodec", "FirnEngine"],
    "Language": ["FirnSyntax", "FirnQuery"],
    "ObjectAPI": ["FirnIndexPaths", "Firn", "FirnCombine", "FirnUpstream", "FirnRealmFiles"],
    "Formats": [
        "CZlib", "CZstd", "CSQLite", "CCrypto", "FirnText", "FirnColumnar", "FirnFormats",
        "RealmFile",
        "RealmImport",
    ],
    "Commands": ["CReadline", "FirnTools", "FirnShell", "firn", "FirnServe", "firn-serve"],
    "Replication": ["CPostgres", "FirnReplication", "firn-sync"],
]
for (room, names) in rooms {
    for target in package.targets where names.contains(target.name) {
        target.path = "Sources/\(room)/\(target.name)"
    }
}
