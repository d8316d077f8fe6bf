import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.neo4j.configuration.GraphDatabaseInternalSettings;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.connectors.ConnectorPortRegister;
import org.neo4j.configuration.connectors.ConnectorType;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.graphdb.config.Setting;
import org.neo4j.io.ByteUnit;
import org.neo4j.kernel.internal.GraphDatabaseAPI;

/**
 * A Neo4j for tests, Bolt only: java -cp 'classes:lib/*' Server HOME PORT [USER].
 *
 * <p>PORT 0 takes any free port; "READY host:port" on stdout names it. With USER, authentication
 * is on and the password comes from CITESCAPE_TEST_NEO4J_PASSWORD, because an argument would show
 * in the process list. Settings that only some releases have are in HOME/neo4j.conf. Stops when
 * stdin closes or on SIGTERM.
 */
public class Server {
    static final String PASSWORD_VARIABLE = "CITESCAPE_TEST_NEO4J_PASSWORD";
    static final Duration STOP_DEADLINE = Duration.ofSeconds(30);
    static final Setting<?> QUIET_PERIOD =
            GraphDatabaseInternalSettings.netty_server_shutdown_quiet_period;

    public static void main(String[] args) {
        if (args.length < 2 || args.length > 3) {
            System.err.println("usage: java -cp 'classes:lib/*' Server HOME PORT [USER]");
            System.exit(2);
        }
        stopWhenStdinCloses();
        try {
            serve(Path.of(args[0]), Integer.parseInt(args[1]), args.length == 3 ? args[2] : null);
        } catch (Throwable error) {
            error.printStackTrace();
            System.exit(1); // threads of a half-started DBMS would keep the process alive
        }
    }

    /** Boots, announces the address and returns; the threads of the DBMS keep the process alive. */
    static void serve(Path home, int port, String user) {
        String password = user == null ? null : requirePassword();
        DatabaseManagementService dbms = boot(home, port, user != null);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(dbms)));
        if (user != null) {
            setPassword(dbms, user, password);
        }
        System.out.println("READY " + boltAddress(dbms));
    }

    static DatabaseManagementService boot(Path home, int port, boolean auth) {
        return new DatabaseManagementServiceBuilder(home)
                .loadPropertiesFromFile(home.resolve("neo4j.conf"))
                .setConfig(BoltConnector.enabled, true)
                .setConfig(BoltConnector.listen_address, new SocketAddress("127.0.0.1", port))
                .setConfig(GraphDatabaseSettings.auth_enabled, auth)
                // Otherwise the third wrong password locks the user for 5 s, and with it
                // every later test of the session.
                .setConfig(GraphDatabaseSettings.auth_max_failed_attempts, 0)
                .setConfig(GraphDatabaseSettings.pagecache_memory, ByteUnit.mebiBytes(64))
                // Two databases would otherwise reserve 256 MB of disk each.
                .setConfig(GraphDatabaseSettings.preallocate_logical_logs, false)
                // A session of tests otherwise leaves more than a gigabyte of them.
                .setConfig(GraphDatabaseSettings.keep_logical_logs, "keep_none")
                .setConfig(
                        GraphDatabaseSettings.logical_log_rotation_threshold,
                        ByteUnit.mebiBytes(16))
                .setConfig(GraphDatabaseSettings.check_point_interval_time, Duration.ofMinutes(1))
                // Tests empty the store and fill it again all the time: every query would be planned
                // anew each ten seconds.
                .setConfig(GraphDatabaseSettings.cypher_min_replan_interval, Duration.ofHours(1))
                .setConfig(GraphDatabaseSettings.udc_enabled, false)
                // Bolt otherwise waits 10 s at every stop for clients that are gone.
                .setConfig(Map.of(QUIET_PERIOD, nothing(QUIET_PERIOD)))
                .build();
    }

    /** Zero as a setting takes it: a number in Neo4j 5, a duration in later releases. */
    static Object nothing(Setting<?> setting) {
        return setting.defaultValue() instanceof Duration ? Duration.ZERO : 0;
    }

    static String requirePassword() {
        String password = System.getenv(PASSWORD_VARIABLE);
        if (password == null || password.isEmpty()) {
            throw new IllegalArgumentException(PASSWORD_VARIABLE + " is not set");
        }
        return password;
    }

    /** Embedded access needs no login, so this also works on a home that has a password already. */
    static void setPassword(DatabaseManagementService dbms, String user, String password) {
        dbms.database(GraphDatabaseSettings.SYSTEM_DATABASE_NAME).executeTransactionally(
                "CREATE OR REPLACE USER $user SET PASSWORD $password CHANGE NOT REQUIRED",
                Map.of("user", user, "password", password));
    }

    static String boltAddress(DatabaseManagementService dbms) {
        GraphDatabaseAPI system =
                (GraphDatabaseAPI) dbms.database(GraphDatabaseSettings.SYSTEM_DATABASE_NAME);
        return system.getDependencyResolver().resolveDependency(ConnectorPortRegister.class)
                .getLocalAddress(ConnectorType.BOLT).toString();
    }

    /** The parent holds the other end of stdin: it closes however the parent dies, kill -9 too. */
    static void stopWhenStdinCloses() {
        daemon(() -> {
            System.in.transferTo(java.io.OutputStream.nullOutputStream());
            System.exit(0);
        });
    }

    static void stop(DatabaseManagementService dbms) {
        daemon(() -> {
            Thread.sleep(STOP_DEADLINE.toMillis());
            Runtime.getRuntime().halt(1); // a stop that hangs must not leave an orphan
        });
        dbms.shutdown();
    }

    interface Body {
        void run() throws Exception;
    }

    static void daemon(Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (Exception error) {
                error.printStackTrace();
                Runtime.getRuntime().halt(1);
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
